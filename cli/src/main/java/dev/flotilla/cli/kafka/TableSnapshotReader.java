package dev.flotilla.cli.kafka;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables once, as of one instant: first the head row, then every table to its end, ignoring rows that are newer
 * than the head. If a key has only a newer row, the reader repeats with a newer head, because the row that counts may
 * have been compacted away. A key that still has only a newer row was created since, and is left out.
 */
final class TableSnapshotReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration NO_PROGRESS_TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_RECORDS = 5_000;
    private static final int ROUNDS = 3;

    /** The newest record that counts, and the ones after it. */
    private static final class Versions {
        @Nullable
        ConsumedRecord counting;

        final List<ConsumedRecord> later = new ArrayList<>();
    }

    private record At(TablePartition place, String key) {}

    private final PartitionReader reader;
    private final Map<At, Versions> versions = new LinkedHashMap<>();
    private FleetHead head = FleetHead.NONE;
    private final Map<SiteId, SiteHead> sites = new HashMap<>();
    private ConsistentCut consistentCut = new ConsistentCut(FleetHead.NONE, Map.of());

    TableSnapshotReader(KafkaClientSettings settings, Duration patience) {
        this.reader = new PartitionReader(settings, "flotilla-cli", MOST_RECORDS, patience);
    }

    /** Reads the tables as of the newest instant. */
    TableSnapshot read(Collection<TablePartition> places) {
        TablePartition heads = TablePartition.of(Table.HEAD);
        List<TablePartition> tables = new ArrayList<>(places);
        tables.remove(heads);
        reader.assign(List.of(heads));
        reader.seekToBeginning(List.of(heads));
        for (int round = 0; round < ROUNDS; round++) {
            readTo(reader.endOffsets(List.of(heads)));
            consistentCut = new ConsistentCut(head, sites);
            reconsiderLaterRecords();
            if (round == 0) {
                List<TablePartition> all = new ArrayList<>(tables);
                all.add(heads);
                reader.assign(all);
                reader.seekToBeginning(tables);
            }
            readTo(reader.endOffsets(tables));
            if (versions.values().stream().noneMatch(key -> key.counting == null)) {
                break;
            }
        }
        List<UnreadableRow> unreadable = new ArrayList<>();
        return new TableSnapshot(
                consistentCut, effectiveRows(unreadable), undecidedRows(), sitesOf(tables), unreadable);
    }

    private static Set<SiteId> sitesOf(List<TablePartition> tables) {
        Set<SiteId> sites = new LinkedHashSet<>();
        for (TablePartition tablePartition : tables) {
            if (tablePartition.site() != null) {
                sites.add(tablePartition.site());
            }
        }
        return sites;
    }

    private void readTo(Map<TablePartition, Long> ends) {
        long moved = System.nanoTime();
        while (ends.entrySet().stream().anyMatch(end -> reader.nextOffset(end.getKey()) < end.getValue())) {
            List<ConsumedRecord> reads = reader.poll(POLL);
            reads.forEach(this::addRecord);
            long now = System.nanoTime();
            if (!reads.isEmpty()) {
                moved = now;
            } else if (now - moved > NO_PROGRESS_TIMEOUT.toNanos()) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "no records within " + NO_PROGRESS_TIMEOUT.toSeconds()
                                + " s although there are more: a transaction" + " may be"
                                + " open or a broker down; check with `flotilla site check NAME`",
                        null);
            }
        }
    }

    private void addRecord(ConsumedRecord consumedRecord) {
        if (consumedRecord.partition().table() == Table.HEAD) {
            RowChange rowChange = decodeRowChange(consumedRecord);
            if (rowChange instanceof FleetHead next) {
                head = next;
            } else if (rowChange instanceof SiteHead next) {
                sites.put(next.site(), next);
            } else if (rowChange instanceof Tombstone tombstone
                    && tombstone.rowKey().key() instanceof SiteId site) {
                sites.remove(site);
            }
            return;
        }
        Versions key = versions.computeIfAbsent(
                new At(
                        consumedRecord.partition(),
                        String.valueOf(consumedRecord.record().key())),
                absent -> new Versions());
        if (isWithinHead(consumedRecord)) {
            key.counting = consumedRecord;
        } else {
            key.later.add(consumedRecord);
        }
    }

    /** Records that were too new for the previous head may count for this one. */
    private void reconsiderLaterRecords() {
        for (Versions key : versions.values()) {
            while (!key.later.isEmpty() && isWithinHead(key.later.get(0))) {
                key.counting = key.later.remove(0);
            }
        }
    }

    private boolean isWithinHead(ConsumedRecord consumedRecord) {
        if (OrchestratorPartitions.isInput(consumedRecord.partition().table())) {
            return consumedRecord.offset() < consistentCut.decidedUpTo(consumedRecord.partition());
        }
        Long seq = consumedRecord.record().headers().seqNumber();
        return seq == null || consistentCut.hasSeq(seq);
    }

    /**
     * Rows that count. A key whose newest record is unreadable has none, because an older record is not valid either.
     */
    private List<RowChange> effectiveRows(List<UnreadableRow> unreadable) {
        List<RowChange> facts = new ArrayList<>();
        facts.add(consistentCut.head());
        facts.addAll(consistentCut.sites().values());
        versions.forEach((at, key) -> {
            if (key.counting != null) {
                switch (WireRecordCodec.decode(key.counting.record())) {
                    case DecodeResult.Accepted<RowChange> accepted -> facts.add(accepted.value());
                    case DecodeResult.Rejected<RowChange> rejected ->
                        unreadable.add(new UnreadableRow(
                                at.place(), at.key(), key.counting.offset(), rejected.firstRejection()));
                }
            }
        });
        return facts;
    }

    /** The newest undecided row of each input key. */
    private List<RowChange> undecidedRows() {
        List<RowChange> facts = new ArrayList<>();
        versions.forEach((at, key) -> {
            RowChange rowChange = !OrchestratorPartitions.isInput(at.place().table()) || key.later.isEmpty()
                    ? null
                    : decodeRowChange(key.later.get(key.later.size() - 1));
            if (rowChange != null) {
                facts.add(rowChange);
            }
        });
        return facts;
    }

    static @Nullable RowChange decodeRowChange(ConsumedRecord consumedRecord) {
        return WireRecordCodec.decode(consumedRecord.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                ? accepted.value()
                : null;
    }

    @Override
    public void close() {
        reader.close();
    }
}
