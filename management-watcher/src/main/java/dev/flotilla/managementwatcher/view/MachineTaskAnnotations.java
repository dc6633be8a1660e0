package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.AnnotationKeys;
import org.jspecify.annotations.Nullable;

/**
 * What a Machine shows of UpgradeTasks.
 *
 * @param uid uid of the task that the machine belongs to; null for none
 * @param reachedSpec hash of the machine spec that the machine has reached; null for none
 * @param updateInProgress whether Cluster API updates the Machine in place
 * @param condition condition that shows the upgrade of its task; null for none
 */
public record MachineTaskAnnotations(
        @Nullable String uid,
        @Nullable String reachedSpec,
        boolean updateInProgress,
        @Nullable MachineTaskCondition condition) {
    public static final MachineTaskAnnotations NONE = new MachineTaskAnnotations(null, null, false, null);

    static MachineTaskAnnotations readFrom(KubeObject machine) {
        MachineTaskAnnotations state = new MachineTaskAnnotations(
                machine.annotation(AnnotationKeys.UPGRADE_TASK),
                machine.annotation(AnnotationKeys.REACHED_SPEC),
                machine.annotation(AnnotationKeys.UPDATE_IN_PROGRESS) != null,
                MachineTaskCondition.readFrom(machine));
        return state.equals(NONE) ? NONE : state;
    }

    /** Whether Cluster API updates the Machine, and an UpgradeTask does it. */
    public boolean isUpdateOfTask() {
        return updateInProgress && uid != null;
    }
}
