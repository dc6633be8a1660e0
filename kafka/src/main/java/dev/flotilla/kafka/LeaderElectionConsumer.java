package dev.flotilla.kafka;

import java.time.Duration;
import java.util.Set;

/** The candidate for leader: the member of a consumer group that owns the only partition of a topic without records. */
public final class LeaderElectionConsumer implements AutoCloseable {
    private final PartitionAssignmentConsumer partitionAssignmentConsumer;

    public LeaderElectionConsumer(
            KafkaClientSettings settings, String name, String group, String topic, Duration session) {
        this.partitionAssignmentConsumer = new PartitionAssignmentConsumer(settings, name, group, topic, session);
    }

    /** Keeps the membership alive and returns whether this member owns the partition. */
    public boolean poll(Duration timeout) {
        Set<Integer> owned = partitionAssignmentConsumer.pollAssignment(timeout);
        return owned != null && !owned.isEmpty();
    }

    /** Leaves the group at once, so that another member takes over. */
    @Override
    public void close() {
        partitionAssignmentConsumer.close();
    }
}
