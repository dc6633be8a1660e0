package dev.flotilla.schemas.row;

/** How a machine stands in a campaign or intent that has begun with it. */
public enum Outcome {
    /** Not ended: an attempt is open, or another will be made. */
    OPEN(0, "open", false),
    SUCCEEDED(1, "succeeded", true),
    /** Succeeded without a call: the node was at the target already. */
    UNCHANGED(2, "unchanged", true),
    QUARANTINED(3, "quarantined", true),
    SKIPPED(4, "skipped", true);

    private final int code;
    private final String label;
    private final boolean ended;

    Outcome(int code, String label, boolean ended) {
        this.code = code;
        this.label = label;
        this.ended = ended;
    }

    /** A small number that stands for it. */
    public int code() {
        return code;
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
