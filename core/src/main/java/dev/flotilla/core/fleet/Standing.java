package dev.flotilla.core.fleet;

/** How a machine stands in a rollout. */
public enum Standing {
    /** Not a member. */
    NONE,
    /** A member that has not failed and has no attempt of this rollout open. */
    FRESH,
    /** A member that has failed and will be tried again. */
    FAILED,
    /** An attempt of this rollout is open; it has not failed before. */
    IN_FLIGHT,
    /** An attempt of this rollout is open; one before has failed. */
    RETRYING,
    SUCCEEDED,
    UNCHANGED,
    QUARANTINED,
    SKIPPED;

    public boolean inFlight() {
        return this == IN_FLIGHT || this == RETRYING;
    }

    public boolean waits() {
        return this == FRESH || this == FAILED;
    }

    public boolean ended() {
        return compareTo(SUCCEEDED) >= 0;
    }

    public boolean atTarget() {
        return this == SUCCEEDED || this == UNCHANGED;
    }

    /** The same of a machine whose inventory row is gone: what it failed and what is in flight still counts, and it does not wait. */
    Standing gone() {
        return inFlight() ? this : failed() ? QUARANTINED : NONE;
    }

    /** Whether it counts against a failure budget as failed. */
    boolean failed() {
        return this == FAILED || this == RETRYING || this == QUARANTINED;
    }
}
