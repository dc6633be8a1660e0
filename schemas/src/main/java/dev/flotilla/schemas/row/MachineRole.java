package dev.flotilla.schemas.row;

/** The role of a machine in its cluster. */
public enum MachineRole {
    CONTROL_PLANE("control-plane"),
    WORKER("worker");

    private final String label;

    MachineRole(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
