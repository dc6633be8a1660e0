package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.MachineTaskAnnotations;
import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineState;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import org.jspecify.annotations.Nullable;

/** Creates what a Machine is to show of its UpgradeTask. */
final class MachineTaskGoalFactory {
    private static final String TRUE = "True";
    private static final String FALSE = "False";

    private MachineTaskGoalFactory() {}

    /**
     * Returns the goal of a machine that belongs to a task. Taking it removes the hash that it has reached: half-way to
     * another spec it is at neither.
     */
    static MachineTaskGoal owned(UpgradeTaskView task, TaskMachine machine, TaskMachineStatus status) {
        MachineTaskCondition condition = conditionFor(machine, status);
        boolean kept = condition == null;
        return new MachineTaskGoal(machine.view().key(), task.uid(), null, kept, condition);
    }

    /** Returns the goal of a machine whose task has ended: it shows how, and can belong to another task. */
    static MachineTaskGoal released(UpgradeTaskView task, TaskMachine machine) {
        TaskMachineStatus status = task.status().machine(machine.name());
        boolean reached = status != null && status.state() == TaskMachineState.SUCCEEDED;
        boolean failed = status != null && status.state() == TaskMachineState.FAILED;
        String hash = reached ? task.spec().machineSpecHash() : null;
        return new MachineTaskGoal(
                machine.view().key(),
                null,
                hash == null ? machine.view().task().reachedSpec() : hash,
                false,
                status != null && (reached || failed) ? conditionFor(machine, status) : null);
    }

    /** Returns the goal of a machine that a task gives up: nothing of it stays. */
    static MachineTaskGoal abandoned(TaskMachine machine) {
        return new MachineTaskGoal(
                machine.view().key(), null, machine.view().task().reachedSpec(), false, null);
    }

    /**
     * Returns the condition for a state; null if the present one stays. Where Cluster API updates the Machine, only a
     * final failure is shown. A failure is shown once the worker has removed its guards: a MachineHealthCheck ignores
     * a guarded Machine.
     */
    private static @Nullable MachineTaskCondition conditionFor(TaskMachine machine, TaskMachineStatus status) {
        MachineTaskAnnotations present = machine.view().task();
        boolean failed = status.state() == TaskMachineState.FAILED;
        if (failed && machine.view().annotations().attempt() != null) {
            return null;
        }
        if (present.updateInProgress()) {
            return failed
                    ? condition(present, MachineTaskCondition.UPGRADE_FAILED, TRUE, status.reason(), status.message())
                    : null;
        }
        return switch (status.state()) {
            case WAITING -> upToDate(present, FALSE, "Waiting", describeWaiting(status));
            case IN_PROGRESS -> upToDate(present, FALSE, "ExternalUpgradeInProgress", "in place: " + status.reason());
            case SUCCEEDED -> upToDate(present, TRUE, "Ready", "");
            case FAILED -> upToDate(present, FALSE, "Failed", status.reason() + ": " + status.message());
            case ABORTED, SKIPPED -> null;
        };
    }

    private static String describeWaiting(TaskMachineStatus status) {
        return status.gate() == null ? status.message() : status.gate() + ": " + status.needs();
    }

    private static MachineTaskCondition upToDate(
            MachineTaskAnnotations present, String status, String reason, String message) {
        return condition(present, MachineTaskCondition.UP_TO_DATE, status, reason, message);
    }

    private static MachineTaskCondition condition(
            MachineTaskAnnotations present, String type, String status, String reason, String message) {
        MachineTaskCondition before = present.condition();
        boolean same =
                before != null && before.type().equals(type) && before.status().equals(status);
        return new MachineTaskCondition(type, status, reason, message, before != null && same ? before.since() : "");
    }
}
