package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** Parses the row key of an unreadable record from its topic and key. */
final class UnreadableRowKeyParser {
    private UnreadableRowKeyParser() {}

    /** The key of the input row that a record would have been; null for none. */
    static @Nullable RowKey of(RejectedRecordKey at) {
        Topic topic = Topic.parse(at.topic());
        EntityKey key = topic == null ? null : RecordKeyFormat.parse(topic, at.key());
        return topic == null || key == null ? null : new RowKey(topic.table(), key);
    }
}
