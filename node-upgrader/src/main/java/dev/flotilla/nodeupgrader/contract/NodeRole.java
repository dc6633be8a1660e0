package dev.flotilla.nodeupgrader.contract;

import org.jspecify.annotations.Nullable;

/** The role of a node in its cluster. */
public enum NodeRole {
    CONTROL_PLANE("control-plane"),
    WORKER("worker");

    private final String label;

    NodeRole(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    static @Nullable NodeRole find(@Nullable String label) {
        for (NodeRole each : values()) {
            if (each.label.equals(label)) {
                return each;
            }
        }
        return null;
    }
}
