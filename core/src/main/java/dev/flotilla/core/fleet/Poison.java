package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** What an unreadable record would have been about, by the place where it stands. */
final class Poison {
    private Poison() {}

    /** The input row that a record would have been; null where it would have been none. */
    static @Nullable RowKey place(RejectedKey at) {
        Topic topic = Topic.parse(at.topic());
        Key key = topic == null ? null : Keys.parse(topic, at.key());
        return topic == null || key == null ? null : new RowKey(topic.table(), key);
    }
}
