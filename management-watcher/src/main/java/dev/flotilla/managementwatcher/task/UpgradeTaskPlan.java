package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of an UpgradeTask and its machines.
 *
 * @param finalizer whether the task is to have the finalizer
 * @param status what it is to show
 * @param expired whether it is to be deleted, because it ended long enough ago
 * @param goals what the machines are to show
 * @param recheckAt when time alone changes the plan; null for never
 */
public record UpgradeTaskPlan(
        UpgradeTaskView task,
        boolean finalizer,
        UpgradeTaskStatus status,
        boolean expired,
        List<MachineTaskGoal> goals,
        @Nullable Instant recheckAt) {
    public UpgradeTaskPlan {
        goals = List.copyOf(goals);
    }
}
