package dev.flotilla.bench.whole;

import dev.flotilla.bench.harness.PlainKafkaClients;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.topic.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Counts records written into the topics of a fleet during upgrades, until its Kafka ends. */
final class LiveTopicRecordCounter implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(250);
    private static final int MOST_BYTES = 1024 * 1024;

    private final Path endpoints;
    private final Thread thread = new Thread(this::run, "record counter");
    private final SortedMap<String, Long> records = new TreeMap<>();
    private volatile boolean closed;

    private LiveTopicRecordCounter(Path endpoints) {
        this.endpoints = endpoints;
    }

    /**
     * Starts as soon as the demonstration has written its addresses.
     *
     * @param endpoints endpoints file of the demonstration
     */
    static LiveTopicRecordCounter start(Path endpoints) {
        LiveTopicRecordCounter counter = new LiveTopicRecordCounter(endpoints);
        counter.thread.setDaemon(true);
        counter.thread.start();
        return counter;
    }

    /** Counts records by table until Kafka or the counting ends. */
    SortedMap<String, Long> records() throws InterruptedException {
        close();
        thread.join();
        return records;
    }

    private void run() {
        try {
            String bootstrap = bootstrap();
            while (bootstrap == null && !closed) {
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
                bootstrap = bootstrap();
            }
            if (bootstrap != null) {
                count(bootstrap);
            }
        } catch (KafkaException | IOException ended) {
            // The demonstration has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable String bootstrap() throws IOException {
        return Files.exists(endpoints)
                        && JsonReader.read(Files.readAllBytes(endpoints), MOST_BYTES)
                                instanceof ParseResult.ParsedDocument parsedDocument
                        && parsedDocument.value() instanceof JsonObjectReader json
                        && json.get("bootstrapServers") instanceof JsonValue.JsonString servers
                ? servers.value()
                : null;
    }

    private void count(String bootstrap) {
        try (KafkaConsumer<byte[], byte[]> consumer = PlainKafkaClients.consumer(bootstrap, "bench-record-counter")) {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.listTopics().forEach((topic, found) -> {
                if (Topic.parse(topic) != null) {
                    found.forEach(each -> partitions.add(new TopicPartition(topic, each.partition())));
                }
            });
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    Topic topic = Topic.parse(record.topic());
                    if (topic != null) {
                        records.merge(topic.table().label(), 1L, Long::sum);
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
