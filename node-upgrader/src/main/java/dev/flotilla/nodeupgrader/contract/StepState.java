package dev.flotilla.nodeupgrader.contract;

import org.jspecify.annotations.Nullable;

/** The state of a step on a node. */
public enum StepState {
    WAITING("Waiting"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    /** The step is not for nodes of this role. */
    SKIPPED("Skipped");

    private final String label;

    StepState(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** Returns the state with a label; null if there is none. */
    public static @Nullable StepState find(@Nullable String label) {
        for (StepState each : values()) {
            if (each.label.equals(label)) {
                return each;
            }
        }
        return null;
    }
}
