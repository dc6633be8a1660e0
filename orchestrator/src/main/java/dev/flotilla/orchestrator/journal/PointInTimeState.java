package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.JournalRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state that the orchestrator had at an instant, from the journal alone: the checkpoint of the last chapter begun by
 * then, and on top what was decided up to it.
 */
public final class PointInTimeState {
    private final Instant instant;
    private final ReplayedState told = new ReplayedState();
    private boolean over;

    public PointInTimeState(Instant instant) {
        this.instant = instant;
    }

    /** Takes the journal's next record; returns whether those that follow may matter. */
    public boolean applyRecord(JournalRecord record) {
        over |= record.decidedAt().isAfter(instant);
        told.applyRecord(record, !over);
        return !over || told.isInCheckpoint();
    }

    /** The state; null where the journal does not go back so far. */
    public @Nullable FleetState state() {
        return told.state();
    }
}
