package dev.flotilla.core.attempt;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.topic.Table;
import java.util.List;

/**
 * Ends the attempt of a machine that is no more. What it failed stays in the failure budget: deleting machines that failed must
 * not let their campaign go on to more.
 */
public final class RemovedMachineDecider {
    private RemovedMachineDecider() {}

    /** Its row is gone. The status row stays with what it failed: it is the same machine if it comes back. */
    public static Decision decideDeleted(DecisionBuilder draft, MachineView known, MachineStatus status, String why) {
        boolean optedOut = known.optOut();
        List<RolloutEntry> failed = optedOut
                ? List.of()
                : status.entries().stream()
                        .filter(entry -> entry.hasFailed() && runs(draft, entry))
                        .toList();
        MachineStatusWriter.writeStatus(
                draft,
                new MachineStatus(
                        status.key(), status.uid(), null, failed.isEmpty() ? null : status.lastFailure(), failed));
        return end(draft, status, why);
    }

    /** Another machine has its name, and its status row now: the campaigns' rows keep what it failed. */
    public static Decision decideReplaced(DecisionBuilder draft, MachineView known, MachineStatus status, String why) {
        forget(draft, known, status);
        return end(draft, status, why);
    }

    static void forget(DecisionBuilder draft, MachineView known, MachineStatus status) {
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

    private static boolean runs(DecisionBuilder draft, RolloutEntry entry) {
        return draft.state().rollout(entry.rolloutRef()) instanceof CampaignRollout campaign && !campaign.isOver();
    }

    private static Decision end(DecisionBuilder draft, MachineStatus status, String why) {
        return status.attempt() == null
                ? draft.build(DecisionEvent.INVENTORY_CHANGED, status.key(), why)
                : draft.remove(Table.COMMANDS, status.key()).build(DecisionEvent.ATTEMPT_VANISHED, status.key(), why);
    }
}
