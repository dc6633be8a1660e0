package dev.flotilla.cli.terminal;

/** Exit codes. Scripts rely on them. */
public final class ExitCode {
    public static final int DONE = 0;

    /** The command ran and the answer is no. */
    public static final int NO = 1;

    /** Usage, configuration or an input file is wrong. */
    public static final int USAGE = 2;

    /** Something that the command needs could not be reached or started. */
    public static final int UNREACHABLE = 3;

    /** A bug in Flotilla. */
    public static final int BUG = 70;

    /** Interrupted; the command cleaned up. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
