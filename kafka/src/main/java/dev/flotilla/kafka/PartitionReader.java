package dev.flotilla.kafka;

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
 * Reads committed records of given partitions. It belongs to no consumer group, stores no offsets in Kafka, and is used by one
 * thread.
 */
public final class PartitionReader implements AutoCloseable {
    /**
     * How long a broker may wait for records before it answers a fetch. Only one fetch per broker is in progress. With the default of
     * 500 ms, records of a partition that was not in the fetch, because its earlier records were not polled yet, would arrive
     * half a second late.
     */
    private static final Duration DEFAULT_FETCH_WAIT = Duration.ofMillis(50);

    /**
     * The same for a reader with few records that polls all of them at once, to avoid many empty fetches. A longer time would delay
     * added partitions, which wait for the fetch in progress.
     */
    private static final Duration FEW_PARTITIONS_FETCH_WAIT = Duration.ofMillis(200);

    /** The same for a reader that reads one partition after another to its end: a wait for one would delay the next. */
    private static final Duration SEQUENTIAL_FETCH_WAIT = Duration.ofMillis(5);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Duration timeout;
    private final Map<TopicPartition, TablePartition> partitions = new HashMap<>();

    /**
     * @param settings the settings of the client
     * @param patience the timeout of a request to a broker
     */
    public PartitionReader(KafkaClientSettings settings, String name, int mostRecords, Duration patience) {
        this(settings, name, mostRecords, patience, DEFAULT_FETCH_WAIT);
    }

    /** Returns a reader that reads partition after partition, each up to an end that is already written. */
    public static PartitionReader forSequentialReads(
            KafkaClientSettings settings, String name, int mostRecords, Duration patience) {
        return new PartitionReader(settings, name, mostRecords, patience, SEQUENTIAL_FETCH_WAIT);
    }

    /** Returns a reader that follows few partitions with few records. */
    public static PartitionReader forFewPartitions(
            KafkaClientSettings settings, String name, int mostRecords, Duration patience) {
        return new PartitionReader(settings, name, mostRecords, patience, FEW_PARTITIONS_FETCH_WAIT);
    }

    private PartitionReader(
            KafkaClientSettings settings, String name, int mostRecords, Duration patience, Duration heldBack) {
        Map<String, Object> properties = new HashMap<>(settings.common());
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, name);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // A missing offset means that the table lost records; that must fail, not be skipped.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, mostRecords);
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) heldBack.toMillis());
        properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.timeout = patience;
    }

    public Set<TablePartition> assigned() {
        return Set.copyOf(partitions.values());
    }

    /** Reads these partitions and no others from now on; partitions that were read before continue at their offsets. */
    public void assign(Collection<TablePartition> wanted) {
        partitions.clear();
        for (TablePartition tablePartition : wanted) {
            partitions.put(KafkaRecordConverter.toTopicPartition(tablePartition), tablePartition);
        }
        translateErrors("assign", () -> {
            consumer.assign(partitions.keySet());
            return true;
        });
    }

    public void seekToBeginning(Collection<TablePartition> of) {
        consumer.seekToBeginning(partitions(of));
    }

    public void seek(TablePartition tablePartition, long offset) {
        consumer.seek(KafkaRecordConverter.toTopicPartition(tablePartition), offset);
    }

    /** Returns the next offset to be read. */
    public long nextOffset(TablePartition tablePartition) {
        return translateErrors(
                "read position of " + tablePartition,
                () -> consumer.position(KafkaRecordConverter.toTopicPartition(tablePartition), timeout));
    }

    /** Returns the offset after the last committed record of each partition. */
    public Map<TablePartition, Long> endOffsets(Collection<TablePartition> of) {
        return translateErrors(
                "find the ends of partitions", () -> toTablePartitions(consumer.endOffsets(partitions(of), timeout)));
    }

    /** Returns the first offset of each partition. */
    public Map<TablePartition, Long> beginningOffsets(Collection<TablePartition> of) {
        return translateErrors(
                "find the beginnings of partitions",
                () -> toTablePartitions(consumer.beginningOffsets(partitions(of), timeout)));
    }

    /** Returns the records that have arrived; none after the timeout or a wake-up. */
    public List<ConsumedRecord> poll(Duration timeout) {
        return translateErrors("poll", () -> {
            List<ConsumedRecord> read = new ArrayList<>();
            ConsumerRecords<byte[], byte[]> records = pollRecords(timeout);
            for (TopicPartition partition : records.partitions()) {
                TablePartition tablePartition = partitions.get(partition);
                for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                    if (tablePartition != null) {
                        read.add(KafkaRecordConverter.toConsumedRecord(tablePartition, record));
                    }
                }
            }
            return read;
        });
    }

    private ConsumerRecords<byte[], byte[]> pollRecords(Duration timeout) {
        try {
            return consumer.poll(timeout);
        } catch (WakeupException woken) {
            return ConsumerRecords.empty();
        }
    }

    /** Ends the current or next poll of the reading thread. Only this method may be called by other threads. */
    public void wakeUp() {
        consumer.wakeup();
    }

    /** Pauses or resumes a partition; its position stays the same. */
    public void setPaused(TablePartition tablePartition, boolean held) {
        List<TopicPartition> partition = List.of(KafkaRecordConverter.toTopicPartition(tablePartition));
        if (held) {
            consumer.pause(partition);
        } else {
            consumer.resume(partition);
        }
    }

    /** Returns the number of committed records of a partition that were not read yet, according to the last polls. */
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

    private static Map<TablePartition, Long> toTablePartitions(Map<TopicPartition, Long> offsets) {
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

    /** Runs a call again if a late wake-up interrupted it. */
    private static <T> T retryOnWakeUp(Supplier<T> question) {
        while (true) {
            try {
                return question.get();
            } catch (WakeupException late) {
                // A wake-up interrupts only one call.
            }
        }
    }

    private static <T> T translateErrors(String what, Supplier<T> question) {
        try {
            return retryOnWakeUp(question);
        } catch (org.apache.kafka.common.KafkaException thrown) {
            throw KafkaFailure.of(what, thrown);
        }
    }
}
