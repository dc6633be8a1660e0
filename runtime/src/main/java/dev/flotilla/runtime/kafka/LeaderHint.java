package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Who owns the only partition of a topic without records is hinted at to lead. It is no more than a hint: an owner may
 * learn late that it lost it. What makes two leaders safe is the transactional id.
 */
public final class LeaderHint implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private boolean owned;

    public LeaderHint(KafkaSettings settings, String group, String topic, Duration session) {
        Map<String, Object> properties = new HashMap<>(settings.common());
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) session.toMillis());
        properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 300);
        properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 10_000);
        // Alone: with the default list a standby that joins takes the partition away from a healthy leader.
        properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(CooperativeStickyAssignor.class));
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            consumer.subscribe(List.of(topic), new Listener());
        } catch (KafkaException thrown) {
            throw KafkaFailure.of("join group " + group, thrown);
        }
    }

    /** Keeps the membership alive, and says whether the partition is owned now. */
    public boolean poll(Duration timeout) {
        try {
            consumer.poll(timeout);
            return owned;
        } catch (KafkaException thrown) {
            throw KafkaFailure.of("stay in the leader's group", thrown);
        }
    }

    /** Leaves the group at once, so that another is asked. */
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owned |= !partitions.isEmpty();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            owned &= partitions.isEmpty();
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            owned = false;
        }
    }
}
