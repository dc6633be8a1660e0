package dev.flotilla.testkit.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A transaction of another producer, open until it is aborted: records written after it are invisible to readers of
 * committed records.
 */
public final class ForeignTransaction implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;

    private ForeignTransaction(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /** Begins a transaction that the broker aborts after a timeout. */
    public static ForeignTransaction begin(String bootstrap, String transactionalId, Duration timeout) {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        transactionalId,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        (int) timeout.toMillis()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        return new ForeignTransaction(producer);
    }

    /** Writes a meaningless record. */
    public void write(String topic, int partition) {
        byte[] key = "strange".getBytes(StandardCharsets.UTF_8);
        byte[] value = "{}".getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(topic, partition, key, value));
        producer.flush();
    }

    public void abort() {
        producer.abortTransaction();
    }

    @Override
    public void close() {
        producer.close();
    }
}
