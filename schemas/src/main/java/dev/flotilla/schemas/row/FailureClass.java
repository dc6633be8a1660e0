package dev.flotilla.schemas.row;

/** Whether another attempt can succeed after a failure. */
public enum FailureClass {
    /** Another attempt may succeed. */
    RETRYABLE("retryable"),
    /** Every other attempt would fail as well: an operator must investigate. */
    TERMINAL("terminal"),
    /** The outcome is not known. */
    LOST("lost");

    private final String label;

    FailureClass(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
