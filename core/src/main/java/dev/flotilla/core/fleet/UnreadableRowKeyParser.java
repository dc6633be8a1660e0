package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** What an unreadable record would have been about, by the place where it stands. */
final class UnreadableRowKeyParser {
    private UnreadableRowKeyParser() {}

    /** The input row that a record would have been; null where it would have been none. */
    static @Nullable RowKey of(RejectedRecordKey at) {
        Topic topic = Topic.parse(at.topic());
        EntityKey key = topic == null ? null : RecordKeyFormat.parse(topic, at.key());
        return topic == null || key == null ? null : new RowKey(topic.table(), key);
    }
}
