package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.task.MachineTaskGoal;
import dev.flotilla.managementwatcher.view.MachineTaskAnnotations;
import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.schemas.kube.AnnotationKeys;
import org.jspecify.annotations.Nullable;

/**
 * Plans what a Machine shows of its UpgradeTask: it belongs to the task before it shows the task's condition, and shows
 * how the task ended before it is let go. Both changes of ownership are made only on the object that was read.
 */
final class MachineTaskWritePlanner {
    private MachineTaskWritePlanner() {}

    /** Plans the next write; null for none. */
    static @Nullable ObjectWrite planWrite(
            MachineView machine, @Nullable MachineTaskGoal goal, boolean canWriteCondition) {
        if (goal == null) {
            return null;
        }
        MachineTaskAnnotations present = machine.task();
        String uid = goal.taskUid();
        if (uid != null && !uid.equals(present.uid())) {
            return writeOwnership(machine, goal);
        }
        if (canWriteCondition && !goal.conditionKept() && !isSame(present.condition(), goal.condition())) {
            return new ObjectWrite.TaskConditionWrite(machine.key(), machine.uid(), goal.condition());
        }
        return uid == null && present.uid() != null ? writeOwnership(machine, goal) : null;
    }

    private static @Nullable AnnotationWrite writeOwnership(MachineView machine, MachineTaskGoal goal) {
        // Without a version, which is unknown for a moment after a restore from a backup, the write could not compare.
        if (machine.version() == 0) {
            return null;
        }
        AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder()
                .setAnnotation(
                        AnnotationKeys.UPGRADE_TASK,
                        goal.taskUid(),
                        machine.task().uid())
                .setAnnotation(
                        AnnotationKeys.REACHED_SPEC,
                        goal.reachedSpec(),
                        machine.task().reachedSpec());
        return new AnnotationWrite(
                machine.key(), machine.uid(), machine.version(), annotationWriteBuilder.annotations(), null);
    }

    private static boolean isSame(@Nullable MachineTaskCondition present, @Nullable MachineTaskCondition wanted) {
        return wanted == null ? present == null : present != null && wanted.saysSameAs(present);
    }
}
