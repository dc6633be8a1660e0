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
 * @param changes the accepted input row, if any, and the rows written
 * @param previousHash the hash of the record before
 */
public record JournalRecord(
        long seq,
        Instant decidedAt,
        String event,
        String subject,
        String reason,
        List<RowChange> changes,
        String previousHash)
        implements TableRow {
    public JournalRecord {
        changes = List.copyOf(changes);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.JOURNAL, new JournalKey(seq));
    }
}
