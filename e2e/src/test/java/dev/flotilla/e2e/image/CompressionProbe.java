package dev.flotilla.e2e.image;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Run in an image, with its jars alone: writes records with each compression of Kafka and reads them again. Prints the name
 * of each that works, with the share of the bytes that is left.
 */
public final class CompressionProbe {
    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "snappy", "lz4", "zstd");
    private static final int RECORDS = 200;
    private static final Duration POLL = Duration.ofMillis(200);

    private CompressionProbe() {}

    /** Takes the brokers, and the name of a topic to create. */
    public static void main(String[] args) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", args[0]))) {
            NewTopic topic = new NewTopic(args[1], COMPRESSIONS.size(), (short) 1);
            admin.createTopics(List.of(topic)).all().get();
        }
        int partition = 0;
        for (String compression : COMPRESSIONS) {
            TopicPartition to = new TopicPartition(args[1], partition++);
            double ratio = write(args[0], to, compression);
            read(args[0], to);
            System.out.println(compression + " " + (ratio < 1 ? "compressed" : "as it is"));
        }
    }

    private static double write(String brokers, TopicPartition to, String compression)
            throws ExecutionException, InterruptedException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                brokers,
                "compression.type",
                compression,
                "linger.ms",
                1_000,
                "key.serializer",
                StringSerializer.class,
                "value.serializer",
                StringSerializer.class);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
            for (int i = 0; i < RECORDS; i++) {
                var unused = producer.send(new ProducerRecord<>(to.topic(), to.partition(), "key", value(i)));
            }
            producer.flush();
            return producer.metrics().values().stream()
                    .filter(metric -> metric.metricName().name().equals("compression-rate-avg")
                            && metric.metricName().group().equals("producer-metrics"))
                    .mapToDouble(metric -> (Double) metric.metricValue())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void read(String brokers, TopicPartition from) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", brokers,
                "key.deserializer", StringDeserializer.class,
                "value.deserializer", StringDeserializer.class);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            consumer.assign(List.of(from));
            consumer.seekToBeginning(List.of(from));
            int next = 0;
            while (next < RECORDS) {
                for (var each : consumer.poll(POLL)) {
                    if (!each.value().equals(value(next))) {
                        throw new IllegalStateException(from + " has " + each.value() + " as record " + next);
                    }
                    next++;
                }
            }
        }
    }

    private static String value(int i) {
        return "the same words again and again, " + i;
    }
}
