package dev.flotilla.schemas.row;

/** Whether a node is emptied before its upgrade. */
public enum DrainMode {
    /** As the provider does: pods go on through the restart. */
    NEVER("never"),
    /** Where there is another node for the pods. */
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
