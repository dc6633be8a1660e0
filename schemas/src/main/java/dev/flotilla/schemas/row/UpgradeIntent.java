package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;

/**
 * What an annotation on an object asks for. Its identity is the object's uid, the value, and when the watcher saw it
 * change.
 */
public record UpgradeIntent(ObjectKey object, String uid, UpgradeTarget target, Instant since) implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INTENTS, object);
    }
}
