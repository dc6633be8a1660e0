package dev.flotilla.schemas.row;

/** The outcome of a machine in a campaign or intent that has started on it. */
public enum MachineOutcome {
    /** No outcome yet: an attempt is open, or another will be made. */
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

    /** Returns the number that represents it in compact columns. */
    public int code() {
        return code;
    }

    public String label() {
        return label;
    }

    public boolean hasEnded() {
        return hasEnded;
    }

    /** Whether the machine is at its target. */
    public boolean isAtTarget() {
        return this == SUCCEEDED || this == UNCHANGED;
    }
}
