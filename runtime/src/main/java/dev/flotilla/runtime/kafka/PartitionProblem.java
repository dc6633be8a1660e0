package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;

/**
 * A partition that cannot be written or read as it should.
 *
 * @param problem what is wrong with it
 * @param remedy what to do
 */
public record PartitionProblem(TablePartition partition, String problem, String remedy) {
    private static final int REPLICAS_WITH_QUORUM = 3;
    private static final int QUORUM = 2;

    /** What is wrong with a partition as the brokers describe it; null for nothing. */
    static @Nullable PartitionProblem findProblem(Topic topic, TopicPartitionInfo partition) {
        TablePartition tablePartition = new TablePartition(topic.table(), topic.site(), partition.partition());
        if (partition.leader() == null || partition.leader().isEmpty()) {
            return new PartitionProblem(tablePartition, "has no leader", "start the brokers that have its replicas");
        }
        int replicas = partition.replicas().size();
        int needed = replicas >= REPLICAS_WITH_QUORUM ? QUORUM : 1;
        if (partition.isr().size() < needed) {
            return new PartitionProblem(
                    tablePartition,
                    "has " + partition.isr().size() + " of " + replicas + " replicas in sync, and " + needed
                            + " are needed to write",
                    "start the brokers that lack, or look why they lag behind");
        }
        return null;
    }
}
