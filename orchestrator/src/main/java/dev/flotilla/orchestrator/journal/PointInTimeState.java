package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.JournalRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrator's state at an instant, from the journal alone: the checkpoint of the last chapter that started by
 * then, and the decisions up to the instant.
 */
public final class PointInTimeState {
    private final Instant instant;
    private final ReplayedState replayedState = new ReplayedState();
    private boolean isPast;

    public PointInTimeState(Instant instant) {
        this.instant = instant;
    }

    /** Applies the journal's next record; returns whether later records may matter. */
    public boolean applyRecord(JournalRecord record) {
        isPast |= record.decidedAt().isAfter(instant);
        replayedState.applyRecord(record, !isPast);
        return !isPast || replayedState.isInCheckpoint();
    }

    /** The state; null if the journal does not go back that far. */
    public @Nullable FleetState state() {
        return replayedState.state();
    }
}
