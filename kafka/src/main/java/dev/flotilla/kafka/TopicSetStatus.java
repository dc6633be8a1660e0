package dev.flotilla.kafka;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.TopicId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of the topics of the fleet or of one site, as the brokers describe them.
 *
 * @param topics the ids of the existing topics, by table
 * @param complete whether all topics exist
 * @param problem why they cannot be used; null if they can
 * @param repartitioned describes a topic with another number of partitions than in the catalogue; null if there is none
 * @param retentionProblem describes a topic whose settings let the brokers delete rows; null if there is none
 * @param truncatedTables the tables whose first records the brokers have deleted; compaction never changes the first offset of a
 *     topic
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
