package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a partition that prevents reads or writes.
 *
 * @param problem the problem
 * @param remedy what to do
 */
public record PartitionProblem(TablePartition partition, String problem, String remedy) {
    private static final int REPLICAS_WITH_QUORUM = 3;
    private static final int QUORUM = 2;

    /** Returns the problem of a partition as the brokers describe it; null if there is none. */
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
                    "has " + partition.isr().size() + " of " + replicas + " replicas in sync, but writes need "
                            + needed,
                    "start the missing brokers, or find out why their replicas lag");
        }
        return null;
    }
}
