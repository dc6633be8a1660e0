package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads tables from their beginning, as decoded row changes. Unreadable records are counted and left out. Only
 * {@link #wakeup} may be called from another thread. While a broker is unreachable, there is nothing to read.
 */
public final class TableReader implements AutoCloseable {
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(100);
    private static final int MIN_FETCH_BYTES = 1024 * 1024;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, TablePartition> partitions = new HashMap<>();
    private long unreadableRecords;

    public TableReader(String bootstrap, Collection<TablePartition> wanted) {
        this(bootstrap, wanted, Map.of());
    }

    private TableReader(String bootstrap, Collection<TablePartition> wanted, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.RETRY_BACKOFF_MS_CONFIG,
                20,
                ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200));
        settings.putAll(more);
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        followOnly(wanted);
    }

    /** A reader for large batches: the broker answers it at most once per interval. */
    public static TableReader withFetchInterval(
            String bootstrap, Collection<TablePartition> wanted, Duration interval) {
        return new TableReader(
                bootstrap,
                wanted,
                Map.of(
                        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                        MIN_FETCH_BYTES,
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        (int) interval.toMillis()));
    }

    /** Reads only these partitions from now on; for those it has read before it continues from its position. */
    public void followOnly(Collection<TablePartition> wanted) {
        partitions.clear();
        wanted.forEach(
                tablePartition -> partitions.put(KafkaRecordConverter.partition(tablePartition), tablePartition));
        consumer.assign(partitions.keySet());
    }

    /** The new records; waits for them up to a time limit. */
    public List<TableRecord> poll(Duration wait) {
        List<TableRecord> seen = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            TablePartition tablePartition = partitions.get(new TopicPartition(record.topic(), record.partition()));
            switch (WireRecordCodec.decode(KafkaRecordConverter.wire(record))) {
                case DecodeResult.Accepted<RowChange> accepted -> {
                    if (tablePartition != null) {
                        seen.add(
                                new TableRecord(tablePartition, record.offset(), record.timestamp(), accepted.value()));
                    }
                }
                case DecodeResult.Rejected<RowChange> ignored -> unreadableRecords++;
            }
        }
        return seen;
    }

    /** All records up to the tables' current ends. */
    public List<TableRecord> readToEnd() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions.keySet());
        List<TableRecord> seen = new ArrayList<>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            seen.addAll(poll(POLL_TIMEOUT));
        }
        return seen;
    }

    /** The number of unreadable records. */
    public long unreadableRecords() {
        return unreadableRecords;
    }

    /** Ends a waiting poll of another thread with a {@code WakeupException}. */
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
