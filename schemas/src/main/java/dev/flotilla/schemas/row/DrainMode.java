package dev.flotilla.schemas.row;

/** Whether a node is drained before its upgrade. */
public enum DrainMode {
    /** Pods stay on the node through the restart, as with the provider's controllers. */
    NEVER("never"),
    /** Drain if another node can take the pods. */
    AUTO("auto"),
    ALWAYS("always");

    private final String label;

    DrainMode(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
