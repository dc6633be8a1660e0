package dev.flotilla.simulator.check;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.topic.Table;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The machines that failed in a campaign that runs, and of which no status row is left, by what was decided about them. */
final class DeletedMachineFailures {
    private record Failed(MachineKey key, String uid) {}

    private final ReferenceFleetState rows;
    private final Map<RolloutRef, Set<Failed>> gone = new LinkedHashMap<>();

    DeletedMachineFailures(ReferenceFleetState rows) {
        this.rows = rows;
    }

    /** Looks at a decision before it is taken in. */
    void applyDecision(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            MachineStatus before = rowChange.rowKey().table() == Table.STATUS
                            && rowChange.rowKey().key() instanceof MachineKey key
                    ? rows.status(key)
                    : null;
            boolean stays = rowChange instanceof MachineStatus now
                    && before != null
                    && now.uid().equals(before.uid());
            if (before != null && !stays) {
                before.entries().stream()
                        .filter(entry -> countsAsFailed(before, entry) || failsNow(decision, before, entry))
                        .forEach(entry -> gone.computeIfAbsent(entry.rolloutRef(), absent -> new LinkedHashSet<>())
                                .add(new Failed(before.key(), before.uid())));
            }
        }
    }

    /** Whether a campaign that runs counts a machine as failed. */
    boolean countsAsFailed(MachineStatus status, RolloutEntry entry) {
        return (entry.failedAttempts() > 0 || entry.outcome() == MachineOutcome.QUARANTINED) && mayCount(status, entry);
    }

    /** Whether the decision that drops a status row is that its attempt has failed. */
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

    /** Those of a campaign; one that came back counts by its own row. */
    int count(RolloutRef rolloutRef) {
        int count = 0;
        for (Failed failed : gone.getOrDefault(rolloutRef, Set.of())) {
            MachineStatus now = rows.status(failed.key());
            boolean back = now != null && now.uid().equals(failed.uid());
            count += back || rows.isSiteWrittenOff(failed.key().site()) ? 0 : 1;
        }
        return count;
    }
}
