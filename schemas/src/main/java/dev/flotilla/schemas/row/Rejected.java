package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;

/**
 * A record that could not be taken.
 *
 * @param path the place within it, such as {@code spec.target.option}; empty for the whole record
 * @param value what stands there, cut short
 */
public record Rejected(
        RejectedKey key, long offset, RejectionReason reason, String path, String value, String problem, Instant time)
        implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.REJECTED, key);
    }
}
