package dev.flotilla.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A member of a consumer group that distributes the partitions of one topic among its members. Ownership is only a hint: an owner may
 * learn late that it lost a partition. The transactional id fences the old owner. This consumer reads no records.
 */
public final class PartitionAssignmentConsumer implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String group;
    private final Set<Integer> owned = new TreeSet<>();
    private final Consumer<Set<Integer>> onRevoked;
    private boolean assignmentReceived;

    public PartitionAssignmentConsumer(
            KafkaClientSettings settings, String name, String group, String topic, Duration session) {
        this(settings, name, group, topic, session, taken -> {
            // The next owner needs nothing from this member.
        });
    }

    /**
     * Joins a group.
     *
     * @param name the process, as Kafka shows the members of the group
     * @param givesAway called with the revoked partitions within {@link #pollAssignment} and {@link #close}; no other member gets
     *     them before it returns
     */
    public PartitionAssignmentConsumer(
            KafkaClientSettings settings,
            String name,
            String group,
            String topic,
            Duration session,
            Consumer<Set<Integer>> givesAway) {
        this.onRevoked = givesAway;
        Map<String, Object> properties = new HashMap<>(settings.common());
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, name);
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) session.toMillis());
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 300);
        properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 10_000);
        // The only strategy: with the default list, a joining member would revoke partitions of healthy owners.
        properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(CooperativeStickyAssignor.class));
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.group = group;
        try {
            consumer.subscribe(List.of(topic), new Listener());
        } catch (KafkaException thrown) {
            throw KafkaFailure.of("join group " + group, thrown);
        }
    }

    /** Keeps the membership alive and returns the owned partitions; null before the first assignment. */
    public @Nullable Set<Integer> pollAssignment(Duration timeout) {
        try {
            consumer.poll(timeout);
            return assignmentReceived ? Set.copyOf(owned) : null;
        } catch (KafkaException thrown) {
            throw KafkaFailure.of("stay in group " + group, thrown);
        }
    }

    /** Leaves the group at once, so that another member takes over. */
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Other consumers read their records.
            consumer.pause(partitions);
            partitions.forEach(partition -> owned.add(partition.partition()));
            assignmentReceived = true;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            Set<Integer> taken = new TreeSet<>();
            partitions.forEach(partition -> taken.add(partition.partition()));
            onRevoked.accept(taken);
            owned.removeAll(taken);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            owned.clear();
            assignmentReceived = false;
        }
    }
}
