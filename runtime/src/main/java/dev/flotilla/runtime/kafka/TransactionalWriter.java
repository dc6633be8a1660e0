package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.json.WireRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes rows of many tables in one transaction. After a failure there is no going on with it: whether the transaction
 * counts is not known, and whoever reads the tables again will see.
 */
public final class TransactionalWriter implements AutoCloseable {
    /** A transaction left open by a dead process holds up readers no longer than this. */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

    private final KafkaProducer<byte[], byte[]> producer;
    private final String id;

    public TransactionalWriter(KafkaClients settings, String transactionalId, Duration patience) {
        Map<String, Object> properties = new HashMap<>(settings.properties());
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, transactionalId);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        // The default of 100 ms is waited for whenever the last transaction is still being ended: KAFKA-20000.
        properties.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 2);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) patience.toMillis());
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        this.id = transactionalId;
    }

    /** Fences every other writer of the id, and ends what it left open. */
    public void init() {
        ask("fence", producer::initTransactions);
    }

    public void begin() {
        ask("begin a transaction", producer::beginTransaction);
    }

    /** Sends a record of the transaction. What becomes of it shows when the transaction is committed. */
    public void send(WireRecord record) {
        ask("send to " + record.topic(), () -> producer.send(Records.write(record)));
    }

    /** Waits for all that was sent, so that a commit after it is but one question to the broker. */
    public void flush() {
        ask("flush", producer::flush);
    }

    public void commit() {
        ask("commit", producer::commitTransaction);
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }

    private void ask(String what, Runnable question) {
        try {
            question.run();
        } catch (KafkaException | IllegalStateException thrown) {
            throw KafkaFailure.of(id + ": " + what, thrown);
        }
    }
}
