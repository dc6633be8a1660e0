package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Creates the conditions of an UpgradeTask. */
final class TaskConditionFactory {
    private static final String TRUE = "True";
    private static final String FALSE = "False";

    private final UpgradeTaskView task;
    private final Instant now;

    TaskConditionFactory(UpgradeTaskView task, Instant now) {
        this.task = task;
        this.now = now;
    }

    /** The spec is valid, and what it names exists. */
    TaskCondition accepted() {
        return condition(UpgradeTaskStatus.ACCEPTED, true, "Accepted", "");
    }

    /** The spec is invalid, or what it names does not exist. */
    TaskCondition rejected(String reason, String message) {
        return condition(UpgradeTaskStatus.ACCEPTED, false, reason, message);
    }

    /** Whether all machines are at the target, and why not. */
    TaskCondition completed(boolean holds, String reason, String message) {
        return condition(UpgradeTaskStatus.COMPLETED, holds, reason, message);
    }

    /** Returns the conditions in the order of their types. */
    List<TaskCondition> createConditions(TaskCondition accepted, TaskCondition completed) {
        return List.of(accepted, completed);
    }

    /** Returns a time as Kubernetes writes it. */
    static Instant seconds(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS);
    }

    private TaskCondition condition(String type, boolean holds, String reason, String message) {
        String status = holds ? TRUE : FALSE;
        TaskCondition before = task.status().condition(type);
        boolean same = before != null && before.status().equals(status) && before.since() != null;
        return new TaskCondition(
                type,
                status,
                reason,
                message,
                before != null && same ? before.since() : seconds(now),
                task.generation());
    }
}
