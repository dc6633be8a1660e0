package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.MachineTaskAnnotations;
import dev.flotilla.managementwatcher.view.MachineTaskCondition;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeProvider;
import org.jspecify.annotations.Nullable;

/**
 * Plans the condition of a Machine whose NodeUpgrade has failed for good, if no UpgradeTask shows it: a MachineHealthCheck that
 * matches the condition replaces the Machine. It is written once the guards are gone, because a MachineHealthCheck ignores a
 * guarded Machine.
 */
final class FailedUpgradeConditionPlanner {
    private FailedUpgradeConditionPlanner() {}

    /** Plans the next write; null for none. */
    static ObjectWrite.@Nullable TaskConditionWrite planWrite(
            MachineView machine, @Nullable ReceivedMachineStatus receivedMachineStatus) {
        MachineTaskAnnotations shown = machine.task();
        if (shown.uid() != null || shown.updateInProgress()) {
            return null;
        }
        MachineTaskCondition present = shown.condition();
        boolean shows = present != null && present.showsFinalFailure();
        AttemptFailure failure = findFinalFailure(machine, receivedMachineStatus);
        if (failure == null) {
            // What a task has left is not changed.
            return present != null && shows && present.type().equals(MachineTaskCondition.UPGRADE_FAILED)
                    ? new ObjectWrite.TaskConditionWrite(machine.key(), machine.uid(), null)
                    : null;
        }
        return shows || machine.annotations().attempt() != null
                ? null
                : new ObjectWrite.TaskConditionWrite(
                        machine.key(),
                        machine.uid(),
                        MachineTaskCondition.upgradeFailed(failure.reason().label(), failure.text()));
    }

    private static @Nullable AttemptFailure findFinalFailure(
            MachineView machine, @Nullable ReceivedMachineStatus receivedMachineStatus) {
        if (receivedMachineStatus == null || !receivedMachineStatus.row().uid().equals(machine.uid())) {
            return null;
        }
        RolloutEntry latest = receivedMachineStatus.row().latestEntry();
        return receivedMachineStatus.row().attempt() == null
                        && latest != null
                        && latest.outcome() == MachineOutcome.QUARANTINED
                        && latest.target() != null
                        && UpgradeProvider.NODE_UPGRADE.canApply(latest.target())
                ? receivedMachineStatus.row().lastFailure()
                : null;
    }
}
