package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.Set;

/** Who owns the only partition of a topic without records is hinted at to lead. */
public final class LeaderElectionConsumer implements AutoCloseable {
    private final PartitionAssignmentConsumer partitionAssignmentConsumer;

    public LeaderElectionConsumer(KafkaClientSettings settings, String group, String topic, Duration session) {
        this.partitionAssignmentConsumer = new PartitionAssignmentConsumer(settings, group, topic, session);
    }

    /** Keeps the membership alive, and says whether the partition is owned now. */
    public boolean poll(Duration timeout) {
        Set<Integer> owned = partitionAssignmentConsumer.pollAssignment(timeout);
        return owned != null && !owned.isEmpty();
    }

    /** Leaves the group at once, so that another is asked. */
    @Override
    public void close() {
        partitionAssignmentConsumer.close();
    }
}
