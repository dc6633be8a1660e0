package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

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

    /** Returns the role with a label; null if no role has it. */
    public static @Nullable MachineRole find(@Nullable String label) {
        for (MachineRole role : values()) {
            if (role.label.equals(label)) {
                return role;
            }
        }
        return null;
    }
}
