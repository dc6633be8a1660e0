package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TopicReconciler;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all rows as of a cut, some partitions after others, on a thread of its own, and hands them over in portions. It
 * waits while few portions are taken, and holds the rows of one partition at a time, or of as many as have few.
 *
 * <p>Progress is left out: what a worker says is in the journal as what was decided by it, never as its row.
 */
final class CheckpointReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointReader.class);
    private static final List<Table> FLEET = Stream.concat(
                    OrchestratorPartitions.inputsOfFleet().stream().map(TablePartition::table),
                    Stream.of(Table.CAMPAIGN_STATUS, Table.REJECTED))
            .toList();
    private static final List<Table> SITE = List.of(Table.INVENTORY, Table.INTENTS, Table.STATUS, Table.COMMANDS);

    private static final int QUEUED = 4;
    private static final int POLL_RECORDS = 2_000;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration STANDSTILL = Duration.ofSeconds(10);
    private static final Duration FULL = Duration.ofMillis(100);

    /** A record of the journal may have 256 KiB; the rows' own bytes are not all of it. */
    private static final int PORTION_BYTES = 96 * 1024;

    private static final int PORTION_ROWS = 2_000;

    /** To go from partition to partition takes a while, and there may be thousands. */
    private static final int RECORDS_TOGETHER = 50_000;

    private static final int AROUND_A_ROW = 160;

    /** Inputs that were decided on later may have come a while before the cut. */
    private static final Duration BEFORE_THE_CUT = Duration.ofMinutes(1);

    private final KafkaClientSettings clients;
    private final String name;
    private final Duration patience;
    private final ConsistentCut consistentCut;
    private final Map<TablePartition, Long> written;
    private final List<SiteId> sites;
    private final Runnable bell;
    private final long begun = System.nanoTime();
    private final BlockingQueue<CheckpointChunk> portions = new ArrayBlockingQueue<>(QUEUED);
    private final Thread thread;
    private volatile boolean stopped;
    private List<RowChange> rows = new ArrayList<>();
    private int bytes;
    private long count;

    /**
     * @param written the offset after what was committed with the cut, of each place
     * @param sites whose tables are read
     * @param bell rung when there is something to take
     */
    CheckpointReader(
            KafkaClientSettings clients,
            String name,
            Duration patience,
            ConsistentCut consistentCut,
            Map<TablePartition, Long> written,
            Collection<SiteId> sites,
            Runnable bell) {
        this.bell = bell;
        this.clients = clients;
        this.name = name + "-checkpoint";
        this.patience = patience;
        this.consistentCut = consistentCut;
        this.written = Map.copyOf(written);
        this.sites = List.copyOf(sites);
        this.thread = Thread.ofPlatform()
                .name("checkpoint")
                .daemon()
                .uncaughtExceptionHandler((ended, bug) -> {
                    LOG.atError().setCause(bug).log("a bug ended the reading of a checkpoint");
                    hand(new CheckpointChunk.CheckpointFailed("a bug ended its reading: " + bug));
                })
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** What is ready, or null. */
    @Nullable
    CheckpointChunk pollChunk() {
        return portions.poll();
    }

    boolean hasChunks() {
        return !portions.isEmpty();
    }

    /** The reading does not go on: nobody wants it any more, or it cannot be had. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;

        Ended(String why) {
            super(why);
        }
    }

    private void run() {
        try (PartitionReader reader = PartitionReader.forSequentialReads(clients, name, POLL_RECORDS, patience)) {
            List<TablePartition> places = places();
            Map<Topic, Duration> stays = stays(places);
            take(consistentCut.head());
            consistentCut.sites().values().forEach(this::take);
            Map<TablePartition, Long> ends = reader.endOffsets(places);
            // A commit is answered before all partitions have been told of it: what it wrote may not show yet.
            written.forEach((tablePartition, next) ->
                    ends.computeIfPresent(tablePartition, (same, end) -> Math.max(end, next)));
            for (List<TablePartition> group : together(places, reader.beginningOffsets(places), ends)) {
                read(reader, group, ends, stays);
            }
            flush();
            hand(new CheckpointChunk.CheckpointEnd(count));
        } catch (Ended | KafkaFailure lost) {
            hand(new CheckpointChunk.CheckpointFailed(String.valueOf(lost.getMessage())));
        }
    }

    private List<TablePartition> places() {
        List<TablePartition> places = new ArrayList<>();
        FLEET.forEach(table -> places.add(TablePartition.of(table)));
        for (SiteId site : sites) {
            for (Table table : SITE) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    places.add(new TablePartition(table, site, partition));
                }
            }
        }
        return places;
    }

    private Map<Topic, Duration> stays(List<TablePartition> places) {
        try (TopicReconciler keeper = TopicReconciler.connect(clients, patience)) {
            return keeper.minCompactionLags(places.stream()
                    .map(tablePartition -> new Topic(tablePartition.table(), tablePartition.site()))
                    .distinct()
                    .toList());
        } catch (KafkaFailure failure) {
            if (failure.kind() != KafkaFailure.Kind.NOT_ALLOWED) {
                throw failure;
            }
            LOG.atWarn()
                    .addKeyValue("reason", failure.kind().label())
                    .log("takes it that tables keep nothing superseded: {}", failure.getMessage());
            return Map.of();
        }
    }

    private void read(
            PartitionReader reader,
            List<TablePartition> together,
            Map<TablePartition, Long> ends,
            Map<Topic, Duration> stays) {
        Map<TablePartition, PartitionSnapshot> tables = new LinkedHashMap<>();
        together.forEach(tablePartition -> tables.put(tablePartition, new PartitionSnapshot(consistentCut)));
        reader.assign(together);
        reader.seekToBeginning(together);
        long moved = System.nanoTime();
        while (together.stream()
                .anyMatch(
                        tablePartition -> reader.nextOffset(tablePartition) < ends.getOrDefault(tablePartition, 0L))) {
            List<ConsumedRecord> reads = reader.poll(POLL);
            for (ConsumedRecord consumedRecord : reads) {
                PartitionSnapshot table = tables.get(consumedRecord.partition());
                if (table != null) {
                    table.addRecord(consumedRecord);
                }
            }
            long now = System.nanoTime();
            if (!reads.isEmpty()) {
                moved = now;
            } else if (now - moved > STANDSTILL.toNanos()) {
                throw new Ended("no records of " + together + " within " + STANDSTILL.toSeconds() + " s");
            }
            if (stopped) {
                throw new Ended("stopped");
            }
        }
        tables.forEach((tablePartition, table) -> {
            Duration stay = stays.getOrDefault(new Topic(tablePartition.table(), tablePartition.site()), Duration.ZERO);
            if (!table.keysWrittenLater().isEmpty() && !staysStill(stay)) {
                throw new Ended("of " + table.keysWrittenLater().size() + " keys of " + tablePartition
                        + " only newer rows are left, such as "
                        + table.keysWrittenLater().iterator().next());
            }
            table.recordsAtCut().forEach(this::take);
        });
    }

    /** Partitions to be read together: as many as have few records, or one that has many. */
    private static List<List<TablePartition>> together(
            List<TablePartition> places, Map<TablePartition, Long> beginnings, Map<TablePartition, Long> ends) {
        List<List<TablePartition>> groups = new ArrayList<>();
        List<TablePartition> group = new ArrayList<>();
        long records = 0;
        for (TablePartition tablePartition : places) {
            long more = ends.getOrDefault(tablePartition, 0L) - beginnings.getOrDefault(tablePartition, 0L);
            if (!group.isEmpty() && records + more > RECORDS_TOGETHER) {
                groups.add(group);
                group = new ArrayList<>();
                records = 0;
            }
            group.add(tablePartition);
            records += more;
        }
        groups.add(group);
        return groups;
    }

    /** Whether what was superseded since the cut is surely there still, so that keys seen only later are new. */
    private boolean staysStill(Duration stays) {
        return System.nanoTime() - begun < stays.minus(BEFORE_THE_CUT).toNanos();
    }

    private void take(ConsumedRecord consumedRecord) {
        switch (WireRecordCodec.decode(consumedRecord.record())) {
            case DecodeResult.Accepted<RowChange> accepted -> {
                byte[] value = consumedRecord.record().value();
                take(accepted.value(), value == null ? 0 : value.length);
            }
            case DecodeResult.Rejected<RowChange> rejected -> {
                // An input's key whose newest record nobody can read has no row: `rejected` says what counts of it.
                if (!OrchestratorPartitions.isInput(consumedRecord.partition().table())) {
                    throw new Ended("a row of our own cannot be read: " + consumedRecord.partition() + ", offset "
                            + consumedRecord.offset() + ", key "
                            + consumedRecord.record().key());
                }
            }
        }
    }

    private void take(TableRow head) {
        take(head, RowCodec.encode(head).length);
    }

    private void take(RowChange rowChange, int length) {
        if (rowChange instanceof Tombstone) {
            return;
        }
        int size = length + AROUND_A_ROW;
        if (!rows.isEmpty() && (bytes + size > PORTION_BYTES || rows.size() >= PORTION_ROWS)) {
            flush();
        }
        rows.add(rowChange);
        bytes += size;
        count++;
    }

    private void flush() {
        if (!rows.isEmpty()) {
            hand(new CheckpointChunk.ChunkRows(rows));
            rows = new ArrayList<>();
            bytes = 0;
        }
    }

    private void hand(CheckpointChunk checkpointChunk) {
        try {
            while (!stopped && !portions.offer(checkpointChunk, FULL.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.trace("the thread that decides has not taken the last portions yet");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            stopped = true;
        }
        bell.run();
        if (stopped && checkpointChunk instanceof CheckpointChunk.ChunkRows) {
            throw new Ended("stopped");
        }
    }

    /** Whatever it still reads nobody will take. */
    @Override
    public void close() {
        stopped = true;
    }
}
