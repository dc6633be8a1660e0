package dev.flotilla.bench.harness;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Plain Kafka clients with the product's client settings. */
public final class PlainKafkaClients {
    private static final int POLL_RECORDS = 2_000;
    private static final int BATCH_BYTES = 128 * 1024;

    private PlainKafkaClients() {}

    /** An idempotent producer without transactions. */
    public static KafkaProducer<byte[], byte[]> producer(String bootstrap, String name) {
        return new KafkaProducer<>(settings(bootstrap, name), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A transactional producer, initialized. */
    public static KafkaProducer<byte[], byte[]> transactional(String bootstrap, String id) {
        Map<String, Object> settings = settings(bootstrap, id);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        // Otherwise the client waits 100 ms whenever the previous transaction is still ending: KAFKA-20000.
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 2);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    /** A consumer of committed records in a group. */
    public static KafkaConsumer<byte[], byte[]> consumer(String bootstrap, String group) {
        return new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ConsumerConfig.GROUP_ID_CONFIG,
                        group,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        POLL_RECORDS),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static Map<String, Object> settings(String bootstrap, String name) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, name);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        return settings;
    }
}
