package dev.flotilla.nodeupgrader.contract;

import org.jspecify.annotations.Nullable;

/** The phase of a NodeUpgrade, in its status. */
public enum NodeUpgradePhase {
    /** Nothing has been started on the node. */
    PENDING("Pending"),
    /** A Job may exist, and steps may have run. */
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    ABORTED("Aborted");

    private final String label;

    NodeUpgradePhase(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public boolean isFinal() {
        return this == SUCCEEDED || this == FAILED || this == ABORTED;
    }

    /** Returns the phase with a label; a status that has none yet is pending. */
    public static NodeUpgradePhase of(@Nullable String label) {
        for (NodeUpgradePhase each : values()) {
            if (each.label.equals(label)) {
                return each;
            }
        }
        return PENDING;
    }
}
