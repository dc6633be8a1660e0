package dev.flotilla.kafka;

import java.util.List;
import java.util.Map;

/**
 * The settings and the partitions of a topic.
 *
 * @param settings those that are not the brokers' defaults
 */
public record TopicState(String topic, Map<String, String> settings, List<PartitionState> partitions) {
    /**
     * One partition.
     *
     * @param leader the id of the broker that leads it; -1 for none
     * @param inSync the brokers whose replicas are in sync
     * @param firstOffset the first offset that is kept; -1 if it is not known
     * @param committedEnd the offset after the last record that is not part of an open transaction; -1 if it is not known
     * @param end the offset after the last record; -1 if it is not known
     */
    public record PartitionState(
            int partition,
            int leader,
            List<Integer> replicas,
            List<Integer> inSync,
            long firstOffset,
            long committedEnd,
            long end) {}
}
