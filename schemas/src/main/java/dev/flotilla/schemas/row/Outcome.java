package dev.flotilla.schemas.row;

/** How a machine stands in a campaign or intent that has begun with it. */
public enum Outcome {
    /** Not ended: an attempt is open, or another will be made. */
    OPEN("open", false),
    SUCCEEDED("succeeded", true),
    /** Succeeded without a call: the node was at the target already. */
    UNCHANGED("unchanged", true),
    QUARANTINED("quarantined", true),
    SKIPPED("skipped", true);

    private final String label;
    private final boolean ended;

    Outcome(String label, boolean ended) {
        this.label = label;
        this.ended = ended;
    }

    public String label() {
        return label;
    }

    public boolean ended() {
        return ended;
    }

    /** Whether the machine is where it was to go. */
    public boolean atTarget() {
        return this == SUCCEEDED || this == UNCHANGED;
    }
}
