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
 * @param problem why they cannot be used; null where they can
 * @param repartitioned that one has another number of partitions than the catalogue, in words; null where none has
 * @param retentionProblem that the settings of one let the brokers delete rows, in words; null where none do
 * @param truncatedTables the tables whose first records the brokers have deleted: compaction keeps the newest row of each key and
 *     never moves where a topic begins
 */
public record TopicSetStatus(
        List<TopicId> topics,
        boolean complete,
        @Nullable String problem,
        @Nullable String repartitioned,
        @Nullable String retentionProblem,
        List<Table> truncatedTables) {
    public TopicSetStatus {
        topics = List.copyOf(topics);
        truncatedTables = List.copyOf(truncatedTables);
    }

    public boolean isUsable() {
        return problem == null;
    }
}
