package dev.flotilla.auditor.follow;

import dev.flotilla.auditor.check.Violation;
import dev.flotilla.auditor.json.JsonText;
import dev.flotilla.auditor.wire.Topic;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The auditor's one power: it freezes the fleet, once. It never lifts a freeze, and never writes a second: a person who
 * lifted the first has read it.
 */
public final class FreezeOrder {
    private static final String KEY = "fleet/freeze";
    private static final int LONGEST_WHY = 1000;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private boolean written;

    public FreezeOrder(ClientSettings settings) {
        this(() -> new KafkaProducer<>(settings.producer()));
    }

    FreezeOrder(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /** Writes the order, waits until Kafka has it, and says what became of it. */
    public String write(Violation violation) {
        if (written) {
            return "";
        }
        written = true;
        try (Producer<byte[], byte[]> producer = producers.get()) {
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(Topic.AUDITOR_ORDERS, bytes(KEY), bytes(value(violation)));
            record.headers().add("type", bytes("auditor-order")).add("schemaVersion", bytes("1"));
            Future<?> sent = producer.send(record);
            producer.flush();
            sent.get();
            return "FROZE the fleet by order " + id(violation) + " for "
                    + violation.invariant().label();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "could not freeze the fleet: interrupted";
        } catch (ExecutionException | RuntimeException e) {
            return "could not freeze the fleet: " + e.getMessage();
        }
    }

    private static String id(Violation violation) {
        return "auditor-" + violation.seq() + "-" + violation.at().toEpochMilli();
    }

    static String value(Violation violation) {
        String why = violation.toString();
        return new JsonText()
                .begin('{')
                .name("order")
                .text(KEY)
                .name("id")
                .text(id(violation))
                .name("who")
                .text("auditor")
                .name("why")
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
