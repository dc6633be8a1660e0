package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topics of the fleet or of one site, as the brokers describe them.
 *
 * @param topics the ids of those that are there, by table
 * @param complete whether all of them are there
 * @param fault why they cannot be used; null where they can
 * @param repartitioned that one has another number of partitions than the catalogue, in words; null where none has
 * @param unsafe that the settings of one let the brokers delete rows, in words; null where none do
 * @param trimmed the tables whose first records the brokers have deleted: compaction keeps the newest row of each key and
 *     never moves where a topic begins
 */
public record TopicInspection(
        List<TopicId> topics,
        boolean complete,
        @Nullable String fault,
        @Nullable String repartitioned,
        @Nullable String unsafe,
        List<Table> trimmed) {
    public TopicInspection {
        topics = List.copyOf(topics);
        trimmed = List.copyOf(trimmed);
    }

    public boolean isUsable() {
        return fault == null;
    }
}
