package dev.flotilla.simulator.check;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Machines that failed in a running campaign and no longer have a status row, collected from the decisions about them.
 */
final class DeletedMachineFailures {
    private record FailedMachine(MachineKey key, String uid) {}

    private final ReferenceFleetState rows;
    private final Map<RolloutRef, Set<FailedMachine>> failedMachines = new LinkedHashMap<>();

    DeletedMachineFailures(ReferenceFleetState rows) {
        this.rows = rows;
    }

    /** Looks at a decision before it is applied. */
    void applyDecision(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            MachineStatus before = rowChange.rowKey().table() == Table.STATUS
                            && rowChange.rowKey().key() instanceof MachineKey key
                    ? rows.status(key)
                    : null;
            boolean keepsRow = rowChange instanceof MachineStatus now
                    && before != null
                    && now.uid().equals(before.uid());
            if (before != null && !keepsRow) {
                before.entries().stream()
                        .filter(entry -> countsAsFailed(before, entry) || failsNow(decision, before, entry))
                        .forEach(entry -> failedMachines
                                .computeIfAbsent(entry.rolloutRef(), absent -> new LinkedHashSet<>())
                                .add(new FailedMachine(before.key(), before.uid())));
            }
        }
    }

    /** Whether a running campaign counts a machine as failed. */
    boolean countsAsFailed(MachineStatus status, RolloutEntry entry) {
        return (entry.failedAttempts() > 0 || entry.outcome() == MachineOutcome.QUARANTINED) && mayCount(status, entry);
    }

    /** Whether the decision that deletes a status row records that its attempt has failed. */
    private boolean failsNow(Decision decision, MachineStatus status, RolloutEntry entry) {
        UpgradeAttempt attempt = status.attempt();
        return (decision.event() == DecisionEvent.ATTEMPT_FAILED
                        || decision.event() == DecisionEvent.MACHINE_QUARANTINED)
                && attempt != null
                && attempt.rolloutRef().equals(entry.rolloutRef())
                && mayCount(status, entry);
    }

    private boolean mayCount(MachineStatus status, RolloutEntry entry) {
        CampaignStatus campaign = rows.campaign(entry.rolloutRef());
        MachineRow row = rows.machine(status.key());
        return campaign != null
                && !campaign.state().isOver()
                && !entry.outcome().isAtTarget()
                && entry.outcome() != MachineOutcome.SKIPPED
                && (row == null || !row.optOut());
    }

    /** The number of such machines of a campaign; a machine that returned counts by its own row. */
    int count(RolloutRef rolloutRef) {
        int count = 0;
        for (FailedMachine failed : failedMachines.getOrDefault(rolloutRef, Set.of())) {
            MachineStatus now = rows.status(failed.key());
            boolean returned = now != null && now.uid().equals(failed.uid());
            count += returned || rows.isSiteWrittenOff(failed.key().site()) ? 0 : 1;
        }
        return count;
    }
}
