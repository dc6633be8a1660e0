package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record that was not accepted.
 *
 * @param path the path of the wrong value, such as {@code spec.target.option}; empty for the whole record
 * @param value the wrong value, truncated
 * @param readable whether it was readable and rejected for its content; then it blocks nothing
 * @param lastAccepted the row of its key that was accepted before and still applies, if no other row keeps it: its record is no
 *     longer the newest of its key and may be compacted away
 */
public record RejectedRecord(
        RejectedRecordKey key,
        long offset,
        RejectionReason reason,
        String path,
        String value,
        String problem,
        Instant rejectedAt,
        boolean readable,
        @Nullable RowChange lastAccepted)
        implements TableRow {

    /** An unreadable record. */
    public RejectedRecord(
            RejectedRecordKey key,
            long offset,
            RejectionReason reason,
            String path,
            String value,
            String problem,
            Instant time) {
        this(key, offset, reason, path, value, problem, time, false, null);
    }

    /** Returns a copy with the row that was accepted before. */
    public RejectedRecord withLastAccepted(@Nullable RowChange before) {
        return new RejectedRecord(key, offset, reason, path, value, problem, rejectedAt, readable, before);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.REJECTED, key);
    }
}
