package dev.flotilla.cli;

/** What the command's exit codes mean. Scripts rely on them. */
public final class ExitCode {
    public static final int DONE = 0;

    /** It ran, and the answer is no. */
    public static final int NO = 1;

    /** Usage, configuration or an input file is wrong. */
    public static final int USAGE = 2;

    /** Something that is needed could not be reached or started. */
    public static final int UNREACHABLE = 3;

    /** The program itself is wrong: none of the codes above would be true. */
    public static final int BUG = 70;

    /** Interrupted, and cleaned up. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
