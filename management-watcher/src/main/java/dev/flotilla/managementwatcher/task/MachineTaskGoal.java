package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.schemas.id.MachineKey;
import org.jspecify.annotations.Nullable;

/**
 * What a Machine is to show of UpgradeTasks.
 *
 * @param taskUid uid of the task that it belongs to; null for none
 * @param reachedSpec hash of the machine spec that it has reached; null for none
 * @param conditionKept whether its condition stays as it is
 * @param condition its condition, unless that is kept; null for none
 */
public record MachineTaskGoal(
        MachineKey machine,
        @Nullable String taskUid,
        @Nullable String reachedSpec,
        boolean conditionKept,
        @Nullable MachineTaskCondition condition) {}
