package dev.flotilla.schemas.row;

import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which topic of its name a table is: a topic that is deleted and created again has another id. */
public record TopicId(Table table, String id) {
    /** The id of a table's topic; null where none is recorded. */
    public static @Nullable String of(List<TopicId> topics, Table table) {
        for (TopicId topic : topics) {
            if (topic.table() == table) {
                return topic.id();
            }
        }
        return null;
    }
}
