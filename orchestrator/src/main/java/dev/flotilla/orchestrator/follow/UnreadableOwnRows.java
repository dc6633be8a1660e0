package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.process.NewerVersion;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orchestrator's own rows in topics of sites that are unreadable. Each keeps its site suspended until a later
 * record of its key has replaced it. The deciding thread adds rows; the thread that inspects the sites looks for
 * replacements.
 */
public final class UnreadableOwnRows {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableOwnRows.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int POLL_RECORDS = 1_000;
    private static final long LOOK_INTERVAL = TimeUnit.SECONDS.toNanos(3);

    private final ProcessClock clock;
    private final Map<SiteId, Map<String, ConsumedRecord>> rows = new LinkedHashMap<>();
    private final Map<TablePartition, Long> nextOffsets = new LinkedHashMap<>();
    private long lastLookNanos;

    public UnreadableOwnRows(ProcessClock clock) {
        this.clock = clock;
        this.lastLookNanos = clock.monotonicNanos() - LOOK_INTERVAL;
    }

    /** Partition and key of a record, as text, wherever in the topic it is. */
    static String describeKey(ConsumedRecord consumedRecord) {
        return consumedRecord.partition() + "/" + consumedRecord.record().key();
    }

    /** Describes where a row is and what to do about it. */
    static String describeRow(ConsumedRecord row, int others) {
        String newer = WireRecordCodec.decode(row.record()) instanceof DecodeResult.Rejected<RowChange> rejected
                ? NewerVersion.describe(rejected.firstRejection())
                : null;
        String place = row.record().topic() + ", partition " + row.partition().partition() + ", offset " + row.offset()
                + ", key "
                + row.record().key()
                + (others == 0 ? "" : ", and " + others + " more");
        if (newer != null) {
            return place + ": " + newer + ".";
        }
        return place
                + ". Only the orchestrator may write there: find out which client did, and restore the row from the"
                + " journal"
                + (row.partition().table() == Table.HEAD ? "." : " or write a tombstone for its key.");
    }

    synchronized void addRow(SiteId site, ConsumedRecord row) {
        if (rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(describeKey(row), row) == null) {
            LOG.atError()
                    .addKeyValue(LogKey.SITE.label(), site.name())
                    .addKeyValue(LogKey.REASON.label(), describeReason(site))
                    .log("site suspended");
        }
        nextOffsets.merge(row.partition(), row.offset() + 1, Math::min);
    }

    /** Why a site is suspended; null if all of its rows are readable. */
    synchronized @Nullable SiteTopicProblem findProblem(SiteId site) {
        return rows.containsKey(site) ? SiteTopicProblem.temporaryProblem(describeReason(site)) : null;
    }

    private String describeReason(SiteId site) {
        Map<String, ConsumedRecord> unreadable = rows.getOrDefault(site, Map.of());
        ConsumedRecord first = unreadable.values().iterator().next();
        String reason = "a row that an orchestrator wrote is unreadable: " + describeRow(first, unreadable.size() - 1);
        return reason.substring(0, Math.min(reason.length(), SiteHead.MAX_REASON));
    }

    /** Looks for records that have replaced unreadable ones. */
    void findReplacements(KafkaClientSettings clients, Duration patience) {
        Map<TablePartition, Long> from = partitionsToRead();
        if (from.isEmpty()) {
            return;
        }
        try (PartitionReader reader = new PartitionReader(clients, "unreadable-rows", POLL_RECORDS, patience)) {
            reader.assign(from.keySet());
            Map<TablePartition, Long> ends = reader.endOffsets(from.keySet());
            Set<TablePartition> open = new LinkedHashSet<>(from.keySet());
            from.forEach((tablePartition, offset) ->
                    reader.seek(tablePartition, Math.min(offset, ends.getOrDefault(tablePartition, offset))));
            open.removeIf(tablePartition -> isRead(tablePartition, reader, ends));
            while (!open.isEmpty()) {
                reader.poll(POLL).forEach(this::checkReplacement);
                open.removeIf(tablePartition -> isRead(tablePartition, reader, ends));
            }
        }
    }

    private boolean isRead(TablePartition tablePartition, PartitionReader reader, Map<TablePartition, Long> ends) {
        long end = ends.getOrDefault(tablePartition, 0L);
        if (reader.nextOffset(tablePartition) < end) {
            return false;
        }
        recordPartitionRead(tablePartition, end);
        return true;
    }

    private synchronized Map<TablePartition, Long> partitionsToRead() {
        if (rows.isEmpty() || clock.monotonicNanos() - lastLookNanos < LOOK_INTERVAL) {
            return Map.of();
        }
        lastLookNanos = clock.monotonicNanos();
        return Map.copyOf(nextOffsets);
    }

    private synchronized void checkReplacement(ConsumedRecord consumedRecord) {
        Map<String, ConsumedRecord> siteRows =
                rows.get(consumedRecord.partition().site());
        if (siteRows == null || !siteRows.containsKey(describeKey(consumedRecord))) {
            return;
        }
        if (new DecodedRecord(consumedRecord).rowChange() == null) {
            siteRows.put(describeKey(consumedRecord), consumedRecord);
        } else {
            siteRows.remove(describeKey(consumedRecord));
        }
        removeEmptyEntries();
    }

    /**
     * Records that a partition was read to its end. An unreadable row beyond the end no longer exists: the topic was
     * created again.
     */
    private synchronized void recordPartitionRead(TablePartition tablePartition, long end) {
        nextOffsets.put(tablePartition, end);
        rows.values()
                .forEach(siteRows -> siteRows.values()
                        .removeIf(row -> row.partition().equals(tablePartition) && row.offset() >= end));
        removeEmptyEntries();
    }

    private void removeEmptyEntries() {
        rows.values().removeIf(Map::isEmpty);
        nextOffsets.keySet().removeIf(tablePartition -> !rows.containsKey(tablePartition.site()));
    }
}
