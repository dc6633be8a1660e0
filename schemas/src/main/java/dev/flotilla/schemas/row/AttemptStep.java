package dev.flotilla.schemas.row;

/** The steps of an attempt on the node-worker's side, in their order. */
public enum AttemptStep {
    PREFLIGHT("preflight"),
    GUARDING("guarding"),
    DRAINING("draining"),
    /** The licence for one call is out: from here on the outcome may be unknown. */
    STARTING("starting"),
    REFRESHING("refreshing"),
    /** As before, and the refresh has taken the cluster's API away. */
    API_AWAY("api-away"),
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
