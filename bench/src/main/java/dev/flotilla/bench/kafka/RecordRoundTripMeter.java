package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.PlainKafkaClients;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Measures repeatedly how long a record takes from a plain producer to a plain consumer. */
final class RecordRoundTripMeter implements AutoCloseable {
    static final String TOPIC = "bench.probe";

    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final Duration POLL = Duration.ofSeconds(2);
    private static final double MILLI = 1e6;

    private final String bootstrap;
    private final Collection<Double> trips = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "round trips");
    private volatile boolean closed;

    RecordRoundTripMeter(String bootstrap) {
        this.bootstrap = bootstrap;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    double[] millis() {
        return trips.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private void run() {
        List<TopicPartition> partition = List.of(new TopicPartition(TOPIC, 0));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of(
                                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                                bootstrap,
                                ProducerConfig.ACKS_CONFIG,
                                "all",
                                ProducerConfig.LINGER_MS_CONFIG,
                                0),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer = PlainKafkaClients.consumer(bootstrap, "bench-probe")) {
            consumer.assign(partition);
            consumer.seekToEnd(partition);
            consumer.position(partition.getFirst());
            while (!closed) {
                long sent = System.nanoTime();
                var unused = producer.send(new ProducerRecord<>(TOPIC, 0, null, new byte[200]));
                if (!consumer.poll(POLL).isEmpty()) {
                    trips.add((System.nanoTime() - sent) / MILLI);
                }
                Thread.sleep(INTERVAL.toMillis());
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
