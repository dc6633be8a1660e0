package dev.flotilla.core.procedure;

/** How long a worker waits for what, in milliseconds. */
public final class UpgradeTimeouts {
    /** How long a licence holds. */
    public static final long PERMIT = 10_000;

    /** Clocks may differ by so much without a call coming too late. */
    public static final long CLOCK_MARGIN = 500;

    private static final long MINUTE = 60_000;

    /** What the checks before a call have said counts for so long: a drain may take longer. */
    static final long CHECKED = MINUTE;

    /** A node that does not answer before the call for so long has failed. */
    static final long UNREACHABLE = 2 * MINUTE;

    /** A node that another change has kept from being called for so long has failed. */
    static final long BUSY = 30 * MINUTE;

    /** A change that goes on for longer is not waited for as if it were about to end. */
    static final long CHANGE = 60 * MINUTE;

    /** The same of one that waits for somebody to restart its node. */
    static final long WAIT = 10 * MINUTE;

    /** Silence is usual while k8sd restarts. When it lasts so long, it is asked whether the cluster's API is away. */
    static final long SILENCE_LASTS = MINUTE;

    /** Neither the node nor the cluster's API, which a refresh may take away, is expected any more after so long. */
    static final long SILENCE = 30 * MINUTE;

    /** A node that is Ready and not at its target so long after its change has failed. */
    static final long TARGET = 75_000;

    /** One that is, and waits for another member of its control plane to show as much, has failed after so long. */
    static final long PEERS = 10 * MINUTE;

    /** A node that is not Ready so long after its change has failed. */
    static final long READY = 15 * MINUTE;

    private UpgradeTimeouts() {}
}
