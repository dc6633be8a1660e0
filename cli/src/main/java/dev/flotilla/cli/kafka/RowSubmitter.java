package dev.flotilla.cli.kafka;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.kafka.OpenTransactionFinder;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.RowWriter;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a row into a table of the fleet and waits for the orchestrator's decision. The offset in the head row shows
 * that the row was decided on; a row in {@code rejected}, written in the same transaction, that it was rejected.
 */
final class RowSubmitter {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final String NAME = "flotilla-cli";

    private final KafkaClientSettings settings;
    private final TopicReconciler topics;
    private final Duration patience;

    RowSubmitter(KafkaClientSettings settings, TopicReconciler topics, Duration patience) {
        this.settings = settings;
        this.topics = topics;
        this.patience = patience;
    }

    SubmissionResult submit(RowChange rowChange, Duration wait) {
        WireRecord record = WireRecordCodec.encode(rowChange);
        if (WireRecordCodec.decode(record) instanceof DecodeResult.Rejected<RowChange> rejected) {
            return new SubmissionResult.RowInvalid(rejected.rejections());
        }
        TablePartition tablePartition = OrchestratorPartitions.partitionOf(rowChange.rowKey());
        long offset;
        try (RowWriter writer = new RowWriter(settings, NAME, patience)) {
            offset = writer.write(record.withPartition(tablePartition.partition()));
        }
        if (wait.isZero()) {
            return new SubmissionResult.WrittenWithoutWaiting();
        }
        RejectedRecordKey refusal =
                new RejectedRecordKey(record.topic(), tablePartition.partition(), String.valueOf(record.key()));
        try (PartitionReader reader = new PartitionReader(settings, NAME, 1_000, patience)) {
            List<TopicId> written = topics.readTopicIds(List.of(Topic.of(tablePartition.table())));
            SubmissionResult submissionResult = awaitDecision(
                    reader, tablePartition, offset, TopicId.of(written, tablePartition.table()), refusal, wait);
            return submissionResult == null
                    ? new SubmissionResult.OrchestratorSilent(findOpenTransaction(tablePartition, offset))
                    : submissionResult;
        }
    }

    /** Finds the open transaction that blocks a row; null for none. */
    private @Nullable OpenTransaction findOpenTransaction(TablePartition tablePartition, long offset) {
        try (OpenTransactionFinder transactions = new OpenTransactionFinder(settings, patience)) {
            OpenTransactionFinder.BlockedOffsets blockedOffsets =
                    transactions.findBlockedPartitions(List.of(tablePartition)).get(tablePartition);
            return blockedOffsets == null || blockedOffsets.first() > offset
                    ? null
                    : transactions.describe(tablePartition, blockedOffsets);
        }
    }

    /** Waits for the decision; null if there is none in time. */
    private static @Nullable SubmissionResult awaitDecision(
            PartitionReader reader,
            TablePartition tablePartition,
            long offset,
            @Nullable String topic,
            RejectedRecordKey refusal,
            Duration wait) {
        List<TablePartition> places = List.of(TablePartition.of(Table.HEAD), TablePartition.of(Table.REJECTED));
        reader.assign(places);
        reader.seekToBeginning(places);
        Map<RowKey, RowChange> rows = new HashMap<>();
        long until = System.nanoTime() + wait.toNanos();
        while (System.nanoTime() < until) {
            readRows(reader, rows);
            FleetHead head = rows.get(FleetHead.NONE.rowKey()) instanceof FleetHead known ? known : FleetHead.NONE;
            String decided = TopicId.of(head.topicIds(), tablePartition.table());
            // An offset of an earlier topic of the same name, which was deleted, does not count.
            boolean same = decided == null || topic == null || decided.equals(topic);
            if (same && new ConsistentCut(head, Map.of()).decidedUpTo(tablePartition) > offset) {
                readRejections(reader, rows, until);
                return rows.get(new RowKey(Table.REJECTED, refusal)) instanceof RejectedRecord why
                                && why.offset() == offset
                        ? new SubmissionResult.RowRejected(why)
                        : new SubmissionResult.RowAccepted();
            }
        }
        return null;
    }

    /** Rows that one transaction writes to two partitions may arrive one after the other. */
    private static void readRejections(PartitionReader reader, Map<RowKey, RowChange> rows, long until) {
        TablePartition rejected = TablePartition.of(Table.REJECTED);
        Long end = reader.endOffsets(List.of(rejected)).get(rejected);
        while (end != null && reader.nextOffset(rejected) < end && System.nanoTime() < until) {
            readRows(reader, rows);
        }
    }

    private static void readRows(PartitionReader reader, Map<RowKey, RowChange> rows) {
        for (ConsumedRecord consumedRecord : reader.poll(POLL)) {
            @Nullable RowChange rowChange = TableSnapshotReader.decodeRowChange(consumedRecord);
            if (rowChange instanceof Tombstone tombstone) {
                rows.remove(tombstone.rowKey());
            } else if (rowChange != null) {
                rows.put(rowChange.rowKey(), rowChange);
            }
        }
    }
}
