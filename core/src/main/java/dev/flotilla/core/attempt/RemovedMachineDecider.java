package dev.flotilla.core.attempt;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import java.util.List;

/**
 * Ends the attempt of a deleted or replaced machine. Its failures still count in the failure budget: deleting failed
 * machines must not let their campaign go on to others.
 */
public final class RemovedMachineDecider {
    private RemovedMachineDecider() {}

    /**
     * Decides on a machine whose row was deleted. The status row keeps its failures, because the same machine may come
     * back.
     */
    public static Decision decideDeleted(
            DecisionBuilder draft, MachineView known, MachineStatus status, String reason) {
        boolean optedOut = known.optOut();
        List<RolloutEntry> failed = optedOut
                ? List.of()
                : status.entries().stream()
                        .filter(entry -> entry.hasFailed() && isOfRunningCampaign(draft, entry))
                        .toList();
        MachineStatusWriter.writeStatus(
                draft,
                new MachineStatus(
                        status.key(), status.uid(), null, failed.isEmpty() ? null : status.lastFailure(), failed));
        return endAttempt(draft, status, reason);
    }

    /**
     * Decides on a machine that was replaced by another of the same name, which now owns the status row: the campaigns'
     * rows keep the failures.
     */
    public static Decision decideReplaced(
            DecisionBuilder draft, MachineView known, MachineStatus status, String reason) {
        removeStatus(draft, known, status);
        return endAttempt(draft, status, reason);
    }

    static void removeStatus(DecisionBuilder draft, MachineView known, MachineStatus status) {
        draft.remove(Table.STATUS, status.key());
        boolean optedOut = known.isUid(status.uid()) && known.optOut();
        for (RolloutEntry entry : status.entries()) {
            if (!optedOut
                    && entry.hasFailed()
                    && draft.state().rollout(entry.rolloutRef()) instanceof CampaignRollout campaign
                    && !campaign.isOver()) {
                draft.write(campaign.status()
                        .withFailuresOfDeletedMachines(campaign.status().failuresOfDeletedMachines() + 1));
            }
        }
    }

    private static boolean isOfRunningCampaign(DecisionBuilder draft, RolloutEntry entry) {
        return draft.state().rollout(entry.rolloutRef()) instanceof CampaignRollout campaign && !campaign.isOver();
    }

    private static Decision endAttempt(DecisionBuilder draft, MachineStatus status, String reason) {
        if (status.isPreparing()) {
            draft.remove(Table.COMMANDS, status.key());
        }
        return status.attempt() == null
                ? draft.build(DecisionEvent.INVENTORY_CHANGED, status.key(), reason)
                : draft.remove(Table.COMMANDS, status.key())
                        .build(DecisionEvent.ATTEMPT_VANISHED, status.key(), reason);
    }
}
