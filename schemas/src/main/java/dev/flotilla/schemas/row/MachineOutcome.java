package dev.flotilla.schemas.row;

/** How a machine stands in a campaign or intent that has begun with it. */
public enum MachineOutcome {
    /** Not ended: an attempt is open, or another will be made. */
    OPEN(0, "open", false),
    SUCCEEDED(1, "succeeded", true),
    /** Succeeded without a call: the node was at the target already. */
    UNCHANGED(2, "unchanged", true),
    QUARANTINED(3, "quarantined", true),
    SKIPPED(4, "skipped", true);

    private final int code;
    private final String label;
    private final boolean hasEnded;

    MachineOutcome(int code, String label, boolean ended) {
        this.code = code;
        this.label = label;
        this.hasEnded = ended;
    }

    /** A small number that stands for it. */
    public int code() {
        return code;
    }

    public String label() {
        return label;
    }

    public boolean hasEnded() {
        return hasEnded;
    }

    /** Whether the machine is where it was to go. */
    public boolean isAtTarget() {
        return this == SUCCEEDED || this == UNCHANGED;
    }
}
