package dev.flotilla.schemas.row;

/** The steps of an attempt in the node-worker, in order. */
public enum AttemptStep {
    PREFLIGHT("preflight"),
    GUARDING("guarding"),
    DRAINING("draining"),
    /** The call permit is committed: from here on the outcome may be unknown. */
    STARTING("starting"),
    REFRESHING("refreshing"),
    /** The refresh is in progress and the cluster's API is unavailable because of it. */
    API_UNREACHABLE("api-unreachable"),
    VERIFYING("verifying"),
    UNCORDONING("uncordoning");

    private final String label;

    AttemptStep(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** Whether the call may have been made in this step. */
    public boolean mayHaveCalled() {
        return compareTo(STARTING) >= 0;
    }
}
