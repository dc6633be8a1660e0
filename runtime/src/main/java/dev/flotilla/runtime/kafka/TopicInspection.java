package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.row.TopicId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topics of the fleet or of one site, as the brokers describe them.
 *
 * @param topics the ids of those that are there, by table
 * @param complete whether all of them are there
 * @param fault why they cannot be used; null where they can
 * @param repartitioned that one has another number of partitions than the catalogue, in words; null where none has
 */
public record TopicInspection(
        List<TopicId> topics,
        boolean complete,
        @Nullable String fault,
        @Nullable String repartitioned) {
    public TopicInspection {
        topics = List.copyOf(topics);
    }

    public boolean isUsable() {
        return fault == null;
    }
}
