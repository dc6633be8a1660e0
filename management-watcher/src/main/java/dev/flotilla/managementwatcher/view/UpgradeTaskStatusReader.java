package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCondition;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskCounts;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineState;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the status of an UpgradeTask as a watcher wrote it; what is unreadable counts as missing. */
final class UpgradeTaskStatusReader {
    private UpgradeTaskStatusReader() {}

    static UpgradeTaskStatus readStatus(KubeObject task) {
        KubeObject status = task.object("status");
        List<TaskMachineStatus> machines = new ArrayList<>();
        for (KubeObject each : status.list("machines")) {
            String name = each.text("name");
            TaskMachineState state = TaskMachineState.parse(each.text("state"));
            if (name != null && state != null) {
                machines.add(new TaskMachineStatus(
                        name,
                        state,
                        orEmpty(each.text("reason")),
                        orEmpty(each.text("message")),
                        each.text("gate"),
                        each.text("needs"),
                        each.instant("since"),
                        each.number("attempt"),
                        each.text("observedVersion")));
            }
        }
        machines.sort(Comparator.comparing(TaskMachineStatus::name));
        List<TaskCondition> conditions = new ArrayList<>();
        for (KubeObject each : status.list("conditions")) {
            conditions.add(new TaskCondition(
                    orEmpty(each.text("type")),
                    orEmpty(each.text("status")),
                    orEmpty(each.text("reason")),
                    orEmpty(each.text("message")),
                    each.instant("lastTransitionTime"),
                    orZero(each.number("observedGeneration"))));
        }
        conditions.sort(Comparator.comparing(TaskCondition::type));
        KubeObject counts = status.object("counts");
        return new UpgradeTaskStatus(
                TaskPhase.parse(status.text("phase")),
                new TaskCounts(
                        count(counts, "total"),
                        count(counts, "waiting"),
                        count(counts, "inProgress"),
                        count(counts, "succeeded"),
                        count(counts, "failed"),
                        count(counts, "skipped")),
                machines,
                status.text("observedVersion"),
                status.instant("finishedAt"),
                conditions,
                orZero(status.number("observedGeneration")));
    }

    private static int count(KubeObject counts, String name) {
        return Math.clamp(orZero(counts.number(name)), 0, Integer.MAX_VALUE);
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
