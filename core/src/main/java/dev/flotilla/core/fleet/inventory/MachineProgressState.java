package dev.flotilla.core.fleet.inventory;

/** How a machine stands in a rollout. */
public enum MachineProgressState {
    /** Not a member. */
    NONE,
    /** A member that has not failed and has no attempt of this rollout open. */
    NOT_STARTED,
    /** A member that has failed and will be tried again. */
    AWAITING_RETRY,
    /** An attempt of this rollout is open; it has not failed before. */
    IN_FLIGHT,
    /** An attempt of this rollout is open; one before has failed. */
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

    /** The same of a machine whose inventory row is gone: what it failed and what is in flight still counts, and it does not wait. */
    public MachineProgressState withoutInventoryRow() {
        return isInFlight() ? this : countsAsFailed() ? QUARANTINED : NONE;
    }

    /** Whether it counts against a failure budget as failed. */
    public boolean countsAsFailed() {
        return this == AWAITING_RETRY || this == RETRYING || this == QUARANTINED;
    }
}
