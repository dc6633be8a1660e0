package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes rows of many tables in one transaction. After a failure there is no going on with it: whether the transaction
 * counts is not known, and whoever reads the tables again will see.
 */
public final class TransactionalRowWriter implements AutoCloseable {
    /** A transaction left open by a dead process holds up readers no longer than this. */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

    private static final int LINGER = 5;

    /** What is alike in a batch of rows lies close together: looking further makes it no smaller, and takes longer. */
    private static final int ZSTD_LEVEL = 1;

    private final KafkaProducer<byte[], byte[]> producer;
    private final String id;
    private final List<Sent> sent = new ArrayList<>();

    private record Sent(WireRecord record, Future<RecordMetadata> future) {}

    public TransactionalRowWriter(KafkaClientSettings settings, String transactionalId, Duration patience) {
        Map<String, Object> properties = new HashMap<>(settings.common());
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, transactionalId);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int) TRANSACTION_TIMEOUT.toMillis());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        properties.put(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG, ZSTD_LEVEL);
        // A commit sends what lingers at once; until then records of a place go together.
        properties.put(ProducerConfig.LINGER_MS_CONFIG, LINGER);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        // The default of 100 ms is waited for whenever the last transaction is still being ended: KAFKA-20000.
        properties.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 2);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) patience.toMillis());
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis() - LINGER);
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
        ask(
                "send to " + record.topic(),
                () -> sent.add(new Sent(record, producer.send(KafkaRecordConverter.toProducerRecord(record)))));
    }

    /** Makes everything sent count, at once. */
    public CommitResult commit() {
        ask("commit", producer::commitTransaction);
        Map<TopicPartition, Long> ends = new HashMap<>();
        long newest = 0;
        for (Sent each : sent) {
            RecordMetadata metadata = each.future().resultNow();
            ends.merge(new TopicPartition(metadata.topic(), metadata.partition()), metadata.offset() + 1, Math::max);
            newest = Math.max(newest, metadata.timestamp());
        }
        sent.clear();
        Map<TablePartition, Long> next = new HashMap<>();
        ends.forEach((partition, end) -> {
            TablePartition tablePartition =
                    KafkaRecordConverter.toTablePartition(partition.topic(), partition.partition());
            if (tablePartition != null) {
                next.put(tablePartition, end);
            }
        });
        return new CommitResult(next, newest);
    }

    /**
     * What a transaction came to.
     *
     * @param nextOffsets the offset after the last record, of each place written to
     * @param newestAppendedAt when the broker took the last record, in milliseconds
     */
    public record CommitResult(Map<TablePartition, Long> nextOffsets, long newestAppendedAt) {}

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }

    private void ask(String what, Runnable question) {
        try {
            question.run();
        } catch (KafkaException | IllegalStateException thrown) {
            throw refused(what, thrown);
        }
    }

    /** With the record that Kafka refused first, if there is one: the client says only that something went wrong. */
    private KafkaFailure refused(String what, RuntimeException thrown) {
        KafkaFailure plain = KafkaFailure.of(id + ": " + what, thrown);
        for (Sent each : sent) {
            Throwable cause =
                    each.future().state() == Future.State.FAILED ? each.future().exceptionNow() : null;
            // With one record all others of the transaction fail.
            if (cause != null
                    && !(cause instanceof TransactionAbortedException)
                    && plain.kind() != KafkaFailure.Kind.FENCED) {
                return refused(each.record(), cause, thrown);
            }
        }
        return plain;
    }

    /** The topic is to blame unless none of the transaction's records was taken in time: then all of Kafka may be away. */
    private KafkaFailure refused(WireRecord record, Throwable cause, RuntimeException thrown) {
        boolean blamed = !(cause instanceof RetriableException)
                || sent.stream().anyMatch(each -> each.future().state() == Future.State.SUCCESS);
        byte[] value = record.value();
        String says = id + ": topic " + record.topic() + " did not take the record with key " + record.key() + " and "
                + (value == null ? 0 : value.length) + " bytes: " + cause;
        return new KafkaFailure(
                KafkaFailure.of(says, cause).kind(), says, thrown, blamed ? Topic.parse(record.topic()) : null);
    }
}
