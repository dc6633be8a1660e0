package dev.flotilla.schemas.row;

/** What a failure means for another try. */
public enum FailureClass {
    /** May well succeed next time. */
    RETRYABLE("retryable"),
    /** Will fail again however often it is tried: somebody must look. */
    TERMINAL("terminal"),
    /** Nobody knows what came of it. */
    LOST("lost");

    private final String label;

    FailureClass(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
