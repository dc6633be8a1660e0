package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;

/**
 * One step of the orchestrator: what came in or fell due, what was decided and why, and the facts that follow. The
 * journal is a log, so the record's key only names its place in it.
 *
 * @param event what happened, by its label
 * @param subject what it happened to
 * @param reason why, in words
 * @param facts the accepted input row, if any, and the rows written
 * @param previous the hash of the record before
 */
public record JournalRecord(
        long seq, Instant time, String event, String subject, String reason, List<Fact> facts, String previous)
        implements Row {
    public JournalRecord {
        facts = List.copyOf(facts);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.JOURNAL, new JournalKey(seq));
    }
}
