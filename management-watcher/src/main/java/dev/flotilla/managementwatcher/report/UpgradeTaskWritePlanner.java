package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.task.UpgradeTaskPlan;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskPhase;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import org.jspecify.annotations.Nullable;

/**
 * Plans the next write to an UpgradeTask: the finalizer before its first machine, then what it shows, and the finalizer
 * is removed last.
 */
final class UpgradeTaskWritePlanner {
    private UpgradeTaskWritePlanner() {}

    /** Plans the next write; null for none. */
    static @Nullable UpgradeTaskWrite planWrite(UpgradeTaskPlan plan) {
        UpgradeTaskView task = plan.task();
        if (plan.finalizer() && !task.hasFinalizer() && !task.deleting()) {
            return new UpgradeTaskWrite.TaskFinalizerWrite(task, true);
        }
        if (!plan.status().equals(task.status())) {
            return new UpgradeTaskWrite.TaskStatusWrite(task, plan.status(), planEvent(task.status(), plan.status()));
        }
        if (!plan.finalizer() && task.hasFinalizer()) {
            return new UpgradeTaskWrite.TaskFinalizerWrite(task, false);
        }
        return plan.expired() ? new UpgradeTaskWrite.TaskDeletion(task) : null;
    }

    private static @Nullable UpgradeEvent planEvent(UpgradeTaskStatus before, UpgradeTaskStatus after) {
        TaskCondition accepted = after.condition(UpgradeTaskStatus.ACCEPTED);
        if (accepted != null
                && !"True".equals(accepted.status())
                && !saysSame(before.condition(UpgradeTaskStatus.ACCEPTED), accepted)) {
            return new UpgradeEvent(true, "UpgradeTaskRejected", accepted.message());
        }
        TaskCondition completed = after.condition(UpgradeTaskStatus.COMPLETED);
        TaskPhase phase = after.phase();
        if (completed == null || phase == null) {
            return null;
        }
        if (completed.reason().equals("OwnerHeld")
                && !saysSame(before.condition(UpgradeTaskStatus.COMPLETED), completed)) {
            return new UpgradeEvent(false, "UpgradeTaskWaiting", completed.message());
        }
        return phase == before.phase() || phase == TaskPhase.WAITING
                ? null
                : new UpgradeEvent(phase == TaskPhase.FAILED, "UpgradeTask" + phase.label(), completed.message());
    }

    private static boolean saysSame(@Nullable TaskCondition before, TaskCondition after) {
        return before != null
                && before.reason().equals(after.reason())
                && before.message().equals(after.message());
    }
}
