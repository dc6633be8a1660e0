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
 * Follows tables from their beginning, as decoded facts. What cannot be read is counted and left out. Used by one thread,
 * except for {@link #wakeup}. A broker that is away gives nothing to read until it is back.
 */
public final class TableReader implements AutoCloseable {
    private static final Duration SLICE = Duration.ofMillis(100);
    private static final int MUCH = 1024 * 1024;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, TablePartition> places = new HashMap<>();
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

    /** One that would rather be told of much at once than at once: the broker answers it so often at most. */
    public static TableReader withFetchInterval(String bootstrap, Collection<TablePartition> wanted, Duration pace) {
        return new TableReader(
                bootstrap,
                wanted,
                Map.of(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, MUCH, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int)
                        pace.toMillis()));
    }

    /** Follows these alone from now on; those it followed before it goes on with where it stands. */
    public void followOnly(Collection<TablePartition> wanted) {
        places.clear();
        wanted.forEach(tablePartition -> places.put(KafkaRecordConverter.partition(tablePartition), tablePartition));
        consumer.assign(places.keySet());
    }

    /** What has come, waiting for it no longer than so. */
    public List<TableRecord> poll(Duration wait) {
        List<TableRecord> seen = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            TablePartition tablePartition = places.get(new TopicPartition(record.topic(), record.partition()));
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

    /** Everything up to the ends that the tables have now. */
    public List<TableRecord> readToEnd() {
        Map<TopicPartition, Long> ends = consumer.endOffsets(places.keySet());
        List<TableRecord> seen = new ArrayList<>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            seen.addAll(poll(SLICE));
        }
        return seen;
    }

    /** How many records could not be read. */
    public long unreadableRecords() {
        return unreadableRecords;
    }

    /** Makes a poll that waits in another thread end with a {@code WakeupException}. */
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
