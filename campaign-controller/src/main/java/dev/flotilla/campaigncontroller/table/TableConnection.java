package dev.flotilla.campaigncontroller.table;

import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.RowWriter;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes the fleet's topics. After a failure it reads them again from the beginning. Used by one thread. */
public final class TableConnection implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MAX_RECORDS = 1_000;
    private static final int MAX_EMPTY_POLLS = 100;
    private static final List<Topic> TOPICS = FleetTables.PARTITIONS.stream()
            .map(partition -> Topic.of(partition.table()))
            .toList();
    private static final String NAME = "flotilla-campaign-controller";

    private final KafkaClientSettings settings;
    private List<TopicId> topicIds = List.of();
    private FleetTables tables = new FleetTables(topicIds);
    private @Nullable TopicReconciler topics;
    private @Nullable PartitionReader reader;
    private @Nullable RowWriter writer;

    public TableConnection(KafkaClientSettings settings) {
        this.settings = settings;
    }

    /** Returns what was read last. */
    public FleetTables tables() {
        return tables;
    }

    /** Begins a pass: what the head says by now is settled. Reads everything that was written up to now, and returns it. */
    public FleetTables refresh() {
        tables.settle();
        readOn();
        try {
            verifyTopics();
        } catch (KafkaFailure failure) {
            close();
            throw failure;
        }
        return tables;
    }

    /** A topic that was created again may have more records than were read, so its offsets do not show it. */
    private void verifyTopics() {
        if (!readTopicIds().equals(topicIds)) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.UNREACHABLE,
                    "a topic was created again: it has another id than when its records were read",
                    null);
        }
    }

    private List<TopicId> readTopicIds() {
        TopicReconciler open = topics == null ? TopicReconciler.connect(settings, PATIENCE) : topics;
        topics = open;
        return open.readTopicIds(TOPICS);
    }

    /** Reads everything that was written up to now, and returns it. */
    public FleetTables readOn() {
        try {
            if (reader == null) {
                // The first time there is nothing that was settled before.
                readToEnds().settle();
            }
            return readToEnds();
        } catch (KafkaFailure failure) {
            close();
            throw failure;
        }
    }

    private FleetTables readToEnds() {
        PartitionReader open = reader == null ? open() : reader;
        Map<TablePartition, Long> ends = open.endOffsets(FleetTables.PARTITIONS);
        if (ends.entrySet().stream().anyMatch(end -> open.nextOffset(end.getKey()) > end.getValue())) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.UNREACHABLE,
                    "a topic was created again: it has fewer records than were read",
                    null);
        }
        int empty = 0;
        while (ends.entrySet().stream().anyMatch(end -> open.nextOffset(end.getKey()) < end.getValue())) {
            List<ConsumedRecord> records = open.poll(POLL);
            records.forEach(tables::add);
            empty = records.isEmpty() ? empty + 1 : 0;
            if (empty > MAX_EMPTY_POLLS) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "no records although there are more: a transaction may be open, or a broker is down",
                        null);
            }
        }
        return tables;
    }

    private PartitionReader open() {
        PartitionReader opened = PartitionReader.forFewPartitions(settings, NAME, MAX_RECORDS, PATIENCE);
        reader = opened;
        topicIds = readTopicIds();
        tables = new FleetTables(topicIds);
        opened.assign(FleetTables.PARTITIONS);
        opened.seekToBeginning(FleetTables.PARTITIONS);
        return opened;
    }

    /** Writes a row or a tombstone of an operator. */
    public void write(RowChange change) {
        WireRecord record = WireRecordCodec.encode(change);
        RowWriter open = writer == null ? new RowWriter(settings, NAME, PATIENCE) : writer;
        writer = open;
        try {
            open.write(record.withPartition(
                    OrchestratorPartitions.partitionOf(change.rowKey()).partition()));
        } catch (KafkaFailure failure) {
            writer = null;
            open.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        PartitionReader open = reader;
        reader = null;
        if (open != null) {
            open.close();
        }
        TopicReconciler openTopics = topics;
        topics = null;
        if (openTopics != null) {
            openTopics.close();
        }
        RowWriter openWriter = writer;
        writer = null;
        if (openWriter != null) {
            openWriter.close();
        }
    }
}
