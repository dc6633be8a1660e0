package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads partitions that it is told to, committed records only. It belongs to no group, keeps no offsets in Kafka, and is
 * used by one thread.
 */
public final class PartitionReader implements AutoCloseable {
    /**
     * How long a broker may hold back an answer for want of records. One question at a time is out to a broker: with half a
     * second, as is usual, what arrives in a partition that was left out of it, since records of it lay here untaken, is
     * had half a second late.
     */
    private static final Duration FOLLOWS = Duration.ofMillis(50);

    /**
     * For whoever has little to read and takes all of it at once: most of his questions would be answered with nothing. No
     * longer, since partitions that are added wait for the answer that is out.
     */
    private static final Duration LISTENS = Duration.ofMillis(200);

    /** For whoever reads one partition after another to its end: an answer held back for the last holds up the next. */
    private static final Duration MOVES_ON = Duration.ofMillis(5);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Duration patience;
    private final Map<TopicPartition, TablePartition> places = new HashMap<>();

    /**
     * @param settings how to reach Kafka
     * @param patience how long a question to the broker may take
     */
    public PartitionReader(KafkaClientSettings settings, String name, int mostRecords, Duration patience) {
        this(settings, name, mostRecords, patience, FOLLOWS);
    }

    /** One that reads partition after partition, each to an end that it has already. */
    public static PartitionReader forSequentialReads(
            KafkaClientSettings settings, String name, int mostRecords, Duration patience) {
        return new PartitionReader(settings, name, mostRecords, patience, MOVES_ON);
    }

    /** One that follows few partitions, in which seldom more arrives than one poll takes. */
    public static PartitionReader forFewPartitions(
            KafkaClientSettings settings, String name, int mostRecords, Duration patience) {
        return new PartitionReader(settings, name, mostRecords, patience, LISTENS);
    }

    private PartitionReader(
            KafkaClientSettings settings, String name, int mostRecords, Duration patience, Duration heldBack) {
        Map<String, Object> properties = new HashMap<>(settings.common());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, name);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // A place that is gone is a table that went back: that must be seen, not skipped.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, mostRecords);
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) heldBack.toMillis());
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.patience = patience;
    }

    public Set<TablePartition> assigned() {
        return Set.copyOf(places.values());
    }

    /** Reads these from now on and no others; who was read before goes on where it stands. */
    public void assign(Collection<TablePartition> wanted) {
        places.clear();
        for (TablePartition tablePartition : wanted) {
            places.put(KafkaRecordConverter.toTopicPartition(tablePartition), tablePartition);
        }
        translateErrors("assign", () -> {
            consumer.assign(places.keySet());
            return true;
        });
    }

    public void seekToBeginning(Collection<TablePartition> of) {
        consumer.seekToBeginning(partitions(of));
    }

    public void seek(TablePartition tablePartition, long offset) {
        consumer.seek(KafkaRecordConverter.toTopicPartition(tablePartition), offset);
    }

    /** The next offset to be read. */
    public long nextOffset(TablePartition tablePartition) {
        return translateErrors(
                "read position of " + tablePartition,
                () -> consumer.position(KafkaRecordConverter.toTopicPartition(tablePartition), patience));
    }

    /** Where the committed records of each end now. */
    public Map<TablePartition, Long> endOffsets(Collection<TablePartition> of) {
        return translateErrors(
                "find the ends of partitions", () -> mapped(consumer.endOffsets(partitions(of), patience)));
    }

    /** Where each begins now. */
    public Map<TablePartition, Long> beginningOffsets(Collection<TablePartition> of) {
        return translateErrors(
                "find the beginnings of partitions", () -> mapped(consumer.beginningOffsets(partitions(of), patience)));
    }

    /** What has arrived; nothing when it took too long, or was woken. */
    public List<ConsumedRecord> poll(Duration timeout) {
        return translateErrors("poll", () -> {
            List<ConsumedRecord> read = new ArrayList<>();
            ConsumerRecords<byte[], byte[]> records = records(timeout);
            for (TopicPartition partition : records.partitions()) {
                TablePartition tablePartition = places.get(partition);
                for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                    if (tablePartition != null) {
                        read.add(KafkaRecordConverter.toConsumedRecord(tablePartition, record));
                    }
                }
            }
            return read;
        });
    }

    private ConsumerRecords<byte[], byte[]> records(Duration timeout) {
        try {
            return consumer.poll(timeout);
        } catch (WakeupException woken) {
            return ConsumerRecords.empty();
        }
    }

    /** Ends a poll of the reading thread, now or the next one. The only call for other threads. */
    public void wakeUp() {
        consumer.wakeup();
    }

    /** Stops or goes on fetching a place, whose records stay where they are. */
    public void setPaused(TablePartition tablePartition, boolean held) {
        List<TopicPartition> partition = List.of(KafkaRecordConverter.toTopicPartition(tablePartition));
        if (held) {
            consumer.pause(partition);
        } else {
            consumer.resume(partition);
        }
    }

    /** Records of a place that are committed and not read yet, as far as the last polls have told. */
    public long lag(TablePartition tablePartition) {
        return consumer.currentLag(KafkaRecordConverter.toTopicPartition(tablePartition))
                .orElse(0);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }

    private static List<TopicPartition> partitions(Collection<TablePartition> of) {
        return of.stream().map(KafkaRecordConverter::toTopicPartition).toList();
    }

    private static Map<TablePartition, Long> mapped(Map<TopicPartition, Long> offsets) {
        Map<TablePartition, Long> mapped = new LinkedHashMap<>();
        offsets.forEach((partition, offset) -> {
            TablePartition tablePartition =
                    KafkaRecordConverter.toTablePartition(partition.topic(), partition.partition());
            if (tablePartition != null) {
                mapped.put(tablePartition, offset);
            }
        });
        return mapped;
    }

    /** Who was to wake a poll may have come late: what is asked meanwhile is asked again. */
    private static <T> T asked(Supplier<T> question) {
        while (true) {
            try {
                return question.get();
            } catch (WakeupException late) {
                // It interrupts one call only.
            }
        }
    }

    private static <T> T translateErrors(String what, Supplier<T> question) {
        try {
            return asked(question);
        } catch (org.apache.kafka.common.KafkaException thrown) {
            throw KafkaFailure.of(what, thrown);
        }
    }
}
