package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.schemas.kube.NodeUpgradeStage;
import org.jspecify.annotations.Nullable;

/** Which steps of its plan a NodeUpgrade runs. */
public enum UpgradeStage {
    /** All steps; those that prepare run first. */
    ALL(null),
    /** Only the steps that prepare, ahead of the upgrade. Nothing that runs changes. */
    PREPARE(NodeUpgradeStage.PREPARE.label()),
    /** All steps but those that prepare, which another NodeUpgrade has run. */
    UPGRADE(NodeUpgradeStage.UPGRADE.label());

    private final @Nullable String label;

    UpgradeStage(@Nullable String label) {
        this.label = label;
    }

    /** Returns the stage with a label, {@link #ALL} for none; null if no stage has it. */
    public static @Nullable UpgradeStage find(@Nullable String label) {
        if (label == null) {
            return ALL;
        }
        for (UpgradeStage stage : values()) {
            if (label.equals(stage.label)) {
                return stage;
            }
        }
        return null;
    }

    /** Whether it has a step. */
    public boolean includes(PlanStep step) {
        return this == ALL || (this == PREPARE) == step.prepares();
    }
}
