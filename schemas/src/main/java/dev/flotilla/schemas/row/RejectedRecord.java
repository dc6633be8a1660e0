package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be taken.
 *
 * @param path the place within it, such as {@code spec.target.option}; empty for the whole record
 * @param value what stands there, cut short
 * @param readable whether it could be read and was refused for what it asks: then it closes nothing
 * @param lastAccepted what was accepted under its key before and still counts, where no other row keeps it: the record that
 *     said so is no longer the newest of its key, and may be gone from the table
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

    /** A record that could not be read. */
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

    /** The same, with what was accepted before. */
    public RejectedRecord withLastAccepted(@Nullable RowChange before) {
        return new RejectedRecord(key, offset, reason, path, value, problem, rejectedAt, readable, before);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.REJECTED, key);
    }
}
