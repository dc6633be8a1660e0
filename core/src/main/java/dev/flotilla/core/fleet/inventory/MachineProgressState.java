package dev.flotilla.core.fleet.inventory;

/** The progress of a machine in a rollout. */
public enum MachineProgressState {
    /** Not a member. */
    NONE,
    /** A member without failures and without an open attempt of this rollout. */
    NOT_STARTED,
    /** A member that failed and will be retried. */
    AWAITING_RETRY,
    /** An attempt of this rollout is open, and none failed before. */
    IN_FLIGHT,
    /** An attempt of this rollout is open, and an earlier one failed. */
    RETRYING,
    SUCCEEDED,
    UNCHANGED,
    QUARANTINED,
    SKIPPED;

    public boolean isInFlight() {
        return this == IN_FLIGHT || this == RETRYING;
    }

    public boolean isWaiting() {
        return this == NOT_STARTED || this == AWAITING_RETRY;
    }

    public boolean hasEnded() {
        return compareTo(SUCCEEDED) >= 0;
    }

    public boolean isAtTarget() {
        return this == SUCCEEDED || this == UNCHANGED;
    }

    /**
     * The state for a machine whose inventory row is deleted: failures and attempts in flight still count, but it does
     * not wait.
     */
    public MachineProgressState withoutInventoryRow() {
        return isInFlight() ? this : countsAsFailed() ? QUARANTINED : NONE;
    }

    /** Whether it counts against a failure budget as failed. */
    public boolean countsAsFailed() {
        return this == AWAITING_RETRY || this == RETRYING || this == QUARANTINED;
    }
}
