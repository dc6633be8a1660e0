package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.JournalRecord;
import java.time.Instant;
import java.util.List;

/** The state as of an instant from every decision since the first, with no chapter in between. */
public final class FullJournalReplay {
    private FullJournalReplay() {}

    /** Its hash. */
    public static long hash(List<JournalRecord> journal, Instant instant) {
        PointInTimeState past = new PointInTimeState(instant);
        journal.stream()
                .filter(record -> !record.event().equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label()))
                .map(FullJournalReplay::ordinary)
                .takeWhile(past::applyRecord)
                .forEach(record -> {});
        return hash(past);
    }

    /** That of the state to which a chapter's records lead. */
    public static long hashFrom(long chapter, List<JournalRecord> journal, Instant instant) {
        PointInTimeState past = new PointInTimeState(instant);
        journal.stream()
                .filter(record -> record.seq() >= chapter)
                .takeWhile(past::applyRecord)
                .forEach(record -> {});
        return hash(past);
    }

    private static JournalRecord ordinary(JournalRecord record) {
        return new JournalRecord(
                record.seq(),
                record.decidedAt(),
                "any",
                record.subject(),
                record.reason(),
                record.changes(),
                record.previousHash());
    }

    private static long hash(PointInTimeState past) {
        FleetState state = past.state();
        if (state == null) {
            throw new AssertionError("the journal does not go back so far");
        }
        return state.hash();
    }
}
