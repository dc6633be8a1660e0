package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
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
 * The orchestrator's own rows in topics of sites that cannot be decoded. Each keeps its site set aside until a later record
 * with its key has taken its place. The deciding thread adds rows, the thread that inspects the sites looks for later ones.
 */
final class UnreadableOwnRows {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableOwnRows.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final int POLL_RECORDS = 1_000;
    private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(3);

    private final LoopClock time;
    private final Map<SiteId, Map<String, ConsumedRecord>> rows = new LinkedHashMap<>();
    private final Map<TablePartition, Long> looked = new LinkedHashMap<>();
    private long lookedAt;

    UnreadableOwnRows(LoopClock time) {
        this.time = time;
        this.lookedAt = time.monotonicNanos() - LOOK_EVERY;
    }

    /** The record of a topic and key, wherever in the topic it is. */
    static String nameOf(ConsumedRecord consumedRecord) {
        return consumedRecord.partition() + "/" + consumedRecord.record().key();
    }

    /** Where a row is and what is to be done about it. */
    static String describeRow(ConsumedRecord row, int others) {
        return row.record().topic() + ", partition " + row.partition().partition() + ", offset " + row.offset()
                + ", key "
                + row.record().key()
                + (others == 0 ? "" : ", and " + others + " more")
                + ". Only the orchestrator may write there: find out who did, and restore the row from the journal"
                + (row.partition().table() == Table.HEAD ? "." : " or write a tombstone for its key.");
    }

    synchronized void add(SiteId site, ConsumedRecord row) {
        if (rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(nameOf(row), row) == null) {
            LOG.atError().addKeyValue("site", site.name()).log("setting the site aside: {}", reason(site));
        }
        looked.merge(row.partition(), row.offset() + 1, Math::min);
    }

    /** Why a site is set aside; null where all of its rows can be read. */
    synchronized @Nullable SiteTopicProblem trouble(SiteId site) {
        return rows.containsKey(site) ? SiteTopicProblem.temporaryProblem(reason(site)) : null;
    }

    private String reason(SiteId site) {
        Map<String, ConsumedRecord> unreadable = rows.getOrDefault(site, Map.of());
        ConsumedRecord first = unreadable.values().iterator().next();
        String words = "a row of ours cannot be read: " + describeRow(first, unreadable.size() - 1);
        return words.substring(0, Math.min(words.length(), SiteHead.MAX_REASON));
    }

    /** Looks for records that have taken the place of unreadable ones. */
    void findReplacements(KafkaClientSettings clients, Duration patience) {
        Map<TablePartition, Long> from = due();
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
                reader.poll(POLL).forEach(this::take);
                open.removeIf(tablePartition -> isRead(tablePartition, reader, ends));
            }
        }
    }

    private boolean isRead(TablePartition tablePartition, PartitionReader reader, Map<TablePartition, Long> ends) {
        long end = ends.getOrDefault(tablePartition, 0L);
        if (reader.nextOffset(tablePartition) < end) {
            return false;
        }
        ended(tablePartition, end);
        return true;
    }

    private synchronized Map<TablePartition, Long> due() {
        if (rows.isEmpty() || time.monotonicNanos() - lookedAt < LOOK_EVERY) {
            return Map.of();
        }
        lookedAt = time.monotonicNanos();
        return Map.copyOf(looked);
    }

    private synchronized void take(ConsumedRecord consumedRecord) {
        Map<String, ConsumedRecord> ofSite = rows.get(consumedRecord.partition().site());
        if (ofSite == null || !ofSite.containsKey(nameOf(consumedRecord))) {
            return;
        }
        if (new DecodedRecord(consumedRecord).rowChange() == null) {
            ofSite.put(nameOf(consumedRecord), consumedRecord);
        } else {
            ofSite.remove(nameOf(consumedRecord));
        }
        forgetEmpty();
    }

    /** A partition was read to its end. What lies behind its end is gone: the topic is another one. */
    private synchronized void ended(TablePartition tablePartition, long end) {
        looked.put(tablePartition, end);
        rows.values()
                .forEach(ofSite ->
                        ofSite.values().removeIf(row -> row.partition().equals(tablePartition) && row.offset() >= end));
        forgetEmpty();
    }

    private void forgetEmpty() {
        rows.values().removeIf(Map::isEmpty);
        looked.keySet().removeIf(tablePartition -> !rows.containsKey(tablePartition.site()));
    }
}
