package dev.flotilla.core.fleet.time;

import java.time.Duration;

/** How long and how often a machine is prepared. */
public final class PreparationLimits {
    /** How long the steps of a preparation may begin. */
    public static final Duration DURATION = Duration.ofMinutes(30);

    /** A preparation is not begun if its machine may start sooner than this. */
    public static final Duration SHORTEST = Duration.ofMinutes(5);

    /** How long after its deadline a report is awaited: its last step may still run, and its worker then says so. */
    public static final Duration REPORT_GRACE = Duration.ofMinutes(5);

    /** The wait after the first failure; after the second it is twice as long. */
    public static final Duration RETRY_AFTER = Duration.ofMinutes(5);

    /** The wait after one that could not be tried, because a person must do something first. */
    public static final Duration RETRY_AFTER_DEFERRAL = Duration.ofMinutes(15);

    /** How often a machine is prepared for the same target at most. */
    public static final int MAX_TRIES = 3;

    private PreparationLimits() {}
}
