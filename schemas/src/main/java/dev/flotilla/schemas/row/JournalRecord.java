package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.JournalKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import java.util.List;

/**
 * One decision of the leader: its input, its reason and the rows that it writes. The journal is a log, so the record's key is
 * only its seq.
 *
 * @param event the label of the event
 * @param subject the machine, campaign or other entity that it is about
 * @param reason why it was decided, as text
 * @param changes the accepted input row, if there is one, and the rows that the decision writes
 * @param previousHash the journal hash of the record before
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
