package dev.flotilla.kafka;

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
 * Writes rows of many tables in one transaction. After a failure the writer cannot be used again: whether the transaction was
 * committed is not known, so the tables must be read again.
 */
public final class TransactionalRowWriter implements AutoCloseable {
    /** How long an open transaction of a dead process blocks readers at most. */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(10);

    private static final int LINGER = 5;

    /** The compression level. Similar rows are close together in a batch, so a higher level would only take more time. */
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
        // A commit sends lingering records at once; until then, records of a partition are batched.
        properties.put(ProducerConfig.LINGER_MS_CONFIG, LINGER);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        // The client waits this long if the last transaction is still being ended (KAFKA-20000); the default is 100 ms.
        properties.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 2);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) patience.toMillis());
        properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis() - LINGER);
        properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        this.id = transactionalId;
    }

    /** Fences every other producer with the same id and ends its open transaction. */
    public void init() {
        translateErrors("fence", producer::initTransactions);
    }

    public void begin() {
        translateErrors("begin a transaction", producer::beginTransaction);
    }

    /** Sends a record of the transaction. A failure shows when the transaction is committed. */
    public void send(WireRecord record) {
        translateErrors(
                "send to " + record.topic(),
                () -> sent.add(new Sent(record, producer.send(KafkaRecordConverter.toProducerRecord(record)))));
    }

    /** Commits the transaction: all sent records become visible. */
    public CommitResult commit() {
        translateErrors("commit", producer::commitTransaction);
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
     * The result of a committed transaction.
     *
     * @param nextOffsets the offset after the last record, for each written partition
     * @param newestAppendedAt when the broker appended the last record, in milliseconds
     */
    public record CommitResult(Map<TablePartition, Long> nextOffsets, long newestAppendedAt) {}

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }

    private void translateErrors(String what, Runnable question) {
        try {
            question.run();
        } catch (KafkaException | IllegalStateException thrown) {
            throw toFailure(what, thrown);
        }
    }

    /** Adds the record that Kafka rejected first, if there is one; the client reports only a general error. */
    private KafkaFailure toFailure(String what, RuntimeException thrown) {
        KafkaFailure plain = KafkaFailure.of(id + ": " + what, thrown);
        for (Sent each : sent) {
            Throwable cause =
                    each.future().state() == Future.State.FAILED ? each.future().exceptionNow() : null;
            // If one record fails, all others of the transaction fail.
            if (cause != null
                    && !(cause instanceof TransactionAbortedException)
                    && plain.kind() != KafkaFailure.Kind.FENCED) {
                return toFailure(each.record(), cause, thrown);
            }
        }
        return plain;
    }

    /** Describes a rejected record. If Kafka accepted no record in time, the topic is not the cause: Kafka may be unavailable. */
    private KafkaFailure toFailure(WireRecord record, Throwable cause, RuntimeException thrown) {
        boolean blamed = !(cause instanceof RetriableException)
                || sent.stream().anyMatch(each -> each.future().state() == Future.State.SUCCESS);
        byte[] value = record.value();
        String says = id + ": topic " + record.topic() + " did not accept the record with key " + record.key() + " and "
                + (value == null ? 0 : value.length) + " bytes: " + cause;
        return new KafkaFailure(
                KafkaFailure.of(says, cause).kind(), says, thrown, blamed ? Topic.parse(record.topic()) : null);
    }
}
