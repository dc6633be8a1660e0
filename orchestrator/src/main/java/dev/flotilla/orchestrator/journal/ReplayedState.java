package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
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
 * The orchestrator's state as the journal tells it, record by record. It is known from the first record there ever was, or
 * from the first checkpoint that is whole. A checkpoint is written after the record that it is of, so a row of it counts only
 * where nothing was decided about its key since.
 */
final class ReplayedState {
    private @Nullable FleetState state;
    private @Nullable FleetState next;
    private final Set<RowKey> since = new HashSet<>();
    private boolean first = true;

    /** The state; null where the journal has not told all of it yet. */
    @Nullable
    FleetState state() {
        return state;
    }

    /** Whether the rest of a checkpoint is to come that has begun. */
    boolean isInCheckpoint() {
        return next != null;
    }

    /**
     * Takes the journal's next record.
     *
     * @param counts whether what it decides counts; of a checkpoint that has begun the rows do in any case
     */
    void applyRecord(JournalRecord record, boolean counts) {
        if (first && record.seq() == 1) {
            state = new FleetState();
        }
        first = false;
        DecisionEvent event = event(record);
        if (event == DecisionEvent.CHAPTER_STARTED) {
            since.clear();
            next = counts ? new FleetState() : null;
        }
        if (event == DecisionEvent.CHECKPOINT_PART_WRITTEN) {
            record.changes().forEach(this::checkpointed);
        } else if (counts) {
            decided(record);
        }
        if (event == DecisionEvent.CHAPTER_COMPLETED && next != null) {
            state = next;
            next = null;
            since.clear();
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

    private void decided(JournalRecord record) {
        if (state != null) {
            record.changes().forEach(rowChange -> put(state, rowChange));
            advance(state, record);
        }
        if (next != null) {
            for (RowChange rowChange : record.changes()) {
                put(next, rowChange);
                since.add(rowChange.rowKey());
            }
            advance(next, record);
        }
    }

    /** A leader that takes over looks at each attempt at once: what the one before it put off was never written. */
    private static void putOffNothing(FleetState state) {
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                MachineStatus status = machine.status();
                if (status != null && status.attempt() != null) {
                    state.put(status);
                }
            }
        }
    }

    /** The head is told in full only where more of it is new than its number and its instant. */
    private static void advance(FleetState state, JournalRecord record) {
        FleetHead head = state.head();
        state.put(new FleetHead(
                head.term(), record.seq(), record.decidedAt(), "", head.featureLevel(), head.clockInSync(), List.of()));
        if (record.event().equals(DecisionEvent.LEADER_ELECTED.label())) {
            putOffNothing(state);
        }
    }

    private void checkpointed(RowChange rowChange) {
        if (next != null && !since.contains(rowChange.rowKey())) {
            put(next, rowChange);
        }
    }

    /** Of a site that could be used the journal tells all that was known of it. */
    private static void put(FleetState state, RowChange rowChange) {
        state.put(withoutStamps(rowChange));
        if (rowChange instanceof SiteHead head && head.unreachableSince() == null) {
            state.markRestored(head.site());
        }
    }

    /**
     * A site's head is stamped at each commit, of which the journal has no record: how far its inputs are read, and how
     * many are in flight, which counts only while it cannot be read.
     */
    static RowChange withoutStamps(RowChange rowChange) {
        return rowChange instanceof SiteHead head
                ? head.unreachableSince() == null
                        ? head.withoutReadPosition()
                        : head.withReadPosition(head.inFlight(), head.budgetUses(), List.of(), List.of())
                : rowChange;
    }
}
