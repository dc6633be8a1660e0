package dev.flotilla.auditor.follow;

import dev.flotilla.auditor.check.InvariantViolation;
import dev.flotilla.auditor.json.JsonTextWriter;
import dev.flotilla.auditor.wire.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes the auditor's only order: it freezes the fleet, once. It never unfreezes and never writes a second freeze,
 * because an operator who ended the first one has read it.
 */
public final class FreezeOrderWriter {
    private static final String KEY = "fleet/freeze";
    private static final int LONGEST_WHY = 1000;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private boolean written;

    public FreezeOrderWriter(AuditorKafkaSettings settings) {
        this(() -> new KafkaProducer<>(settings.producer()));
    }

    FreezeOrderWriter(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /** Writes the order, waits until Kafka has accepted it, and returns the result as text. */
    public String writeFreeze(InvariantViolation invariantViolation) {
        if (written) {
            return "";
        }
        written = true;
        try (Producer<byte[], byte[]> producer = producers.get()) {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(TopicName.AUDITOR_ORDERS, bytes(KEY), bytes(value(invariantViolation)));
            record.headers().add("type", bytes("auditor-order")).add("schemaVersion", bytes("1"));
            Future<?> sent = producer.send(record);
            producer.flush();
            sent.get();
            return "FROZE the fleet by order " + id(invariantViolation) + " for "
                    + invariantViolation.invariant().label();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "could not freeze the fleet: interrupted";
        } catch (ExecutionException | RuntimeException e) {
            return "could not freeze the fleet: " + e.getMessage();
        }
    }

    private static String id(InvariantViolation invariantViolation) {
        return "auditor-" + invariantViolation.seq() + "-"
                + invariantViolation.at().toEpochMilli();
    }

    static String value(InvariantViolation invariantViolation) {
        String why = invariantViolation.toString();
        return new JsonTextWriter()
                .begin('{')
                .name("order")
                .text(KEY)
                .name("id")
                .text(id(invariantViolation))
                .name("requestedBy")
                .text("auditor")
                .name("reason")
                .text(why.substring(0, Math.min(LONGEST_WHY, why.length())))
                .name("verb")
                .text("freeze")
                .end('}')
                .toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
