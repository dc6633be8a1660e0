package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;

/**
 * An upgrade that an annotation on an object requests. Its identity is the object's uid, the value, and when the watcher saw
 * the value change.
 */
public record UpgradeIntent(ObjectKey object, String uid, UpgradeTarget target, Instant requestedAt)
        implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INTENTS, object);
    }
}
