package dev.flotilla.kafka;

import dev.flotilla.schemas.json.WireRecord;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes single rows for operators and waits for each. It needs no permission for a transactional id, because a single row is
 * atomic.
 */
public final class RowWriter implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final Duration timeout;

    public RowWriter(KafkaClientSettings settings, String name, Duration patience) {
        int millis = Math.toIntExact(patience.toMillis());
        this.producer = new KafkaProducer<>(
                settings.producer(Map.of(
                        ProducerConfig.CLIENT_ID_CONFIG,
                        name,
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.LINGER_MS_CONFIG,
                        0,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        millis,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        millis,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        millis)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.timeout = patience;
    }

    /** Writes a record and returns its offset when all in-sync replicas have it. */
    public long write(WireRecord record) {
        String what = "write " + record.key() + " to " + record.topic();
        try {
            return producer.send(KafkaRecordConverter.toProducerRecord(record))
                    .get(2 * timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KafkaFailure(KafkaFailure.Kind.OTHER, "interrupted", interrupted);
        } catch (ExecutionException failed) {
            throw KafkaFailure.of(what, failed.getCause() == null ? failed : failed.getCause());
        } catch (TimeoutException | KafkaException failed) {
            throw KafkaFailure.of(what, failed);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
