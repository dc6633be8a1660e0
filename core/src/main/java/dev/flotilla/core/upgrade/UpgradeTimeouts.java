package dev.flotilla.core.upgrade;

/** Time limits of an attempt, in milliseconds. */
final class UpgradeTimeouts {
    /** How long a call permit is valid. */
    public static final long PERMIT = 10_000;

    /** Clock difference between worker and leader that the lease allows for. */
    public static final long CLOCK_MARGIN = 500;

    private static final long MINUTE = 60_000;

    /** How long the results of the checks before the call are valid; setting the guards may take longer. */
    static final long CHECK_RESULTS_VALID = MINUTE;

    /** An attempt fails if its node has been unreachable for this long before the call. */
    static final long UNREACHABLE = 2 * MINUTE;

    /** An attempt fails if other changes have blocked its call for this long. */
    static final long BUSY = 30 * MINUTE;

    /** A change that runs for longer has an unknown outcome. */
    static final long CHANGE = 60 * MINUTE;

    /** The same limit for a change that waits until somebody restarts its node. */
    static final long CHANGE_BLOCKED = 10 * MINUTE;

    /** A provider is silent while it restarts. After this long the cluster's API is probed as well. */
    static final long SILENCE_BEFORE_API_PROBE = MINUTE;

    /**
     * The outcome is unknown if the provider or the node has been unreachable for this long; a refresh can make the cluster's
     * API unreachable too.
     */
    static final long SILENCE = 30 * MINUTE;

    /**
     * A delegated call without an answer has not created its object if there is none after this time: an API server ends
     * a request after a minute.
     */
    static final long CALL_SETTLED = 2 * MINUTE;

    /** A node that is Ready but not at its target this long after its change has failed. */
    static final long TARGET = 75_000;

    /** A node at its target fails if another control-plane member does not show its revision within this time. */
    static final long PEERS = 10 * MINUTE;

    /** A node that is not Ready so long after its change has failed. */
    static final long READY = 15 * MINUTE;

    private UpgradeTimeouts() {}
}
