package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrator's state from the journal, record by record. It is known from the very first record on, or from the
 * first complete checkpoint on. A checkpoint's rows follow the record whose state they are, so a row applies only if no
 * decision has changed its key since.
 */
final class ReplayedState {
    private @Nullable FleetState state;
    private @Nullable FleetState checkpointState;
    private final Set<RowKey> keysSinceStart = new HashSet<>();
    private boolean first;

    ReplayedState() {
        this(true);
    }

    /** @param fromTheFirst whether the first record that follows may be the journal's very first */
    ReplayedState(boolean fromTheFirst) {
        this.first = fromTheFirst;
    }

    /** The state; null if the journal has not shown all of it yet. */
    @Nullable
    FleetState state() {
        return state;
    }

    /** Whether a checkpoint has started and is not complete. */
    boolean isInCheckpoint() {
        return checkpointState != null;
    }

    /**
     * Applies the journal's next record.
     *
     * @param applies whether its decision is applied; rows of a checkpoint that has started are applied in any case
     */
    void applyRecord(JournalRecord record, boolean applies) {
        if (first && record.seq() == 1) {
            state = new FleetState();
        }
        first = false;
        DecisionEvent event = event(record);
        if (event == DecisionEvent.CHAPTER_STARTED) {
            keysSinceStart.clear();
            checkpointState = applies ? new FleetState() : null;
        }
        if (event == DecisionEvent.CHECKPOINT_PART_WRITTEN) {
            record.changes().forEach(this::applyCheckpointRow);
        } else if (applies) {
            applyDecision(record);
        }
        if (event == DecisionEvent.CHAPTER_COMPLETED && checkpointState != null) {
            state = checkpointState;
            checkpointState = null;
            keysSinceStart.clear();
        }
    }

    private static @Nullable DecisionEvent event(JournalRecord record) {
        for (DecisionEvent event : new DecisionEvent[] {
            DecisionEvent.CHAPTER_STARTED, DecisionEvent.CHECKPOINT_PART_WRITTEN, DecisionEvent.CHAPTER_COMPLETED
        }) {
            if (event.label().equals(record.event())) {
                return event;
            }
        }
        return null;
    }

    private void applyDecision(JournalRecord record) {
        if (state != null) {
            record.changes().forEach(rowChange -> put(state, rowChange));
            advance(state, record);
        }
        if (checkpointState != null) {
            for (RowChange rowChange : record.changes()) {
                put(checkpointState, rowChange);
                keysSinceStart.add(rowChange.rowKey());
            }
            advance(checkpointState, record);
        }
    }

    /** A new leader checks each attempt at once, because postponed checks are not written to rows. */
    private static void recheckAttempts(FleetState state) {
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                MachineStatus status = machine.status();
                if (status != null && status.attempt() != null) {
                    state.put(status);
                }
            }
        }
    }

    /** A decision's record has the whole head row only if more than its number and time changed. */
    private static void advance(FleetState state, JournalRecord record) {
        FleetHead head = state.head();
        state.put(new FleetHead(
                head.term(), record.seq(), record.decidedAt(), "", head.featureLevel(), head.clockInSync(), List.of()));
        if (record.event().equals(DecisionEvent.LEADER_ELECTED.label())) {
            recheckAttempts(state);
        }
    }

    private void applyCheckpointRow(RowChange rowChange) {
        if (checkpointState != null && !keysSinceStart.contains(rowChange.rowKey())) {
            put(checkpointState, rowChange);
        }
    }

    /** The journal has everything about a site that could be used. */
    private static void put(FleetState state, RowChange rowChange) {
        state.put(withoutStamps(rowChange));
        if (rowChange instanceof SiteHead head && head.unreachableSince() == null) {
            state.markRestored(head.site());
        }
    }

    /**
     * A site's head row is updated at each commit, of which the journal has no record: read positions, and the count in
     * flight, which matters only while the site is unreachable.
     */
    static RowChange withoutStamps(RowChange rowChange) {
        return rowChange instanceof SiteHead head
                ? head.unreachableSince() == null
                        ? head.withoutReadPosition()
                        : head.withReadPosition(head.inFlight(), head.budgetUses(), List.of(), List.of())
                : rowChange;
    }
}
