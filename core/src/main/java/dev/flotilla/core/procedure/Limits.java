package dev.flotilla.core.procedure;

/** How long a worker waits for what, in milliseconds. */
public final class Limits {
    /** How long a licence holds. */
    public static final long LICENCE = 10_000;

    /** Clocks may differ by so much without a call coming too late. */
    public static final long CLOCK_MARGIN = 500;

    /** What the checks before a call have said counts for so long: a drain may take longer. */
    static final long CHECKED = 60_000;

    /** A node that does not answer before the call for so long has failed. */
    static final long DARK = 120_000;

    /** A node that is Ready and not at its target so long after its change has failed. */
    static final long TARGET = 75_000;

    /** A node that is not Ready so long after its change has failed. */
    static final long READY = 15 * 60_000;

    private Limits() {}
}
