package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes row changes in order, each once, and waits for an unreachable broker as long as it takes. Its creator is
 * notified of a row change that can never be written.
 */
public final class TableWriter implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final KafkaProducer<byte[], byte[]> producer;
    private final Consumer<Exception> failed;

    public TableWriter(String bootstrap, Consumer<Exception> failed) {
        this.failed = failed;
        this.producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "zstd",
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        true,
                        ProducerConfig.LINGER_MS_CONFIG,
                        0,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        Integer.MAX_VALUE,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        5000,
                        ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                        20,
                        ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        200),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Waits until the metadata of these tables is known, so that later writes need not wait. */
    public void prepare(Collection<TablePartition> partitions) {
        partitions.forEach(tablePartition -> producer.partitionsFor(
                KafkaRecordConverter.partition(tablePartition).topic()));
    }

    /** Starts a write; {@code written} runs on another thread once the broker has acknowledged it. */
    public void write(TablePartition tablePartition, RowChange rowChange, Runnable written) {
        var unused = producer.send(
                KafkaRecordConverter.of(tablePartition, rowChange),
                (metadata, exception) -> acknowledged(exception, written));
    }

    /** Starts a write of any record, such as one that cannot be read. */
    public void writeRecord(TablePartition tablePartition, WireRecord record) {
        var unused = producer.send(
                KafkaRecordConverter.of(tablePartition, record),
                (metadata, exception) -> acknowledged(exception, () -> {}));
    }

    private void acknowledged(@Nullable Exception exception, Runnable written) {
        if (exception == null) {
            written.run();
        } else {
            failed.accept(exception);
        }
    }

    /** Waits until everything is written. */
    public void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
