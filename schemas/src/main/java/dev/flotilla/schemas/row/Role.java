package dev.flotilla.schemas.row;

/** What a machine is to its cluster. */
public enum Role {
    CONTROL_PLANE("control-plane"),
    WORKER("worker");

    private final String label;

    Role(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
