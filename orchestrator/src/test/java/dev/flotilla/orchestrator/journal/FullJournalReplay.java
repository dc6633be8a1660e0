package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.JournalRecord;
import java.time.Instant;
import java.util.List;

/** Replays every decision since the first one, without checkpoints, to an instant. */
public final class FullJournalReplay {
    private FullJournalReplay() {}

    /** The hash of the state at the instant. */
    public static long stateHash(List<JournalRecord> journal, Instant instant) {
        PointInTimeState past = new PointInTimeState(instant);
        journal.stream()
                .filter(record -> !record.event().equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label()))
                .map(FullJournalReplay::withoutChapterEvent)
                .takeWhile(past::applyRecord)
                .forEach(record -> {});
        return stateHash(past);
    }

    /** The hash of the state at the instant, replayed from a chapter. */
    public static long stateHashFromChapter(long chapter, List<JournalRecord> journal, Instant instant) {
        PointInTimeState past = new PointInTimeState(instant);
        journal.stream()
                .filter(record -> record.seq() >= chapter)
                .takeWhile(past::applyRecord)
                .forEach(record -> {});
        return stateHash(past);
    }

    private static JournalRecord withoutChapterEvent(JournalRecord record) {
        return new JournalRecord(
                record.seq(),
                record.decidedAt(),
                "any",
                record.subject(),
                record.reason(),
                record.changes(),
                record.previousHash());
    }

    private static long stateHash(PointInTimeState past) {
        FleetState state = past.state();
        if (state == null) {
            throw new AssertionError("the journal does not go back so far");
        }
        return state.hash();
    }
}
