package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The id of a table's topic. A topic that is deleted and created again has another id. */
public record TopicId(Table table, String id) {
    /** Returns the id of a table's topic; null if none is recorded. */
    public static @Nullable String of(List<TopicId> topics, Table table) {
        for (TopicId topic : topics) {
            if (topic.table() == table) {
                return topic.id();
            }
        }
        return null;
    }
}
