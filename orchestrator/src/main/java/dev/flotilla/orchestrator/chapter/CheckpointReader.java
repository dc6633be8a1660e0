package dev.flotilla.orchestrator.chapter;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
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
 * Reads all rows as of a consistent cut, partition by partition, on its own thread, and delivers them in chunks. It
 * waits while the queue of chunks is full. It holds the rows of one large partition, or of several small ones, at a
 * time.
 *
 * <p>The table {@code progress} is left out: the journal has the decisions that a worker's report led to, not its row.
 */
final class CheckpointReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointReader.class);
    private static final List<Table> FLEET_TABLES = Stream.concat(
                    OrchestratorPartitions.inputsOfFleet().stream().map(TablePartition::table),
                    Stream.of(Table.CAMPAIGN_STATUS, Table.REJECTED))
            .toList();
    private static final List<Table> SITE_TABLES =
            List.of(Table.INVENTORY, Table.INTENTS, Table.STATUS, Table.COMMANDS);

    private static final int MAX_QUEUED_CHUNKS = 4;
    private static final int POLL_RECORDS = 2_000;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration QUEUE_RETRY = Duration.ofMillis(100);

    /** A journal record may have 256 KiB; the rows' own bytes are not all of it. */
    private static final int CHUNK_BYTES = 96 * 1024;

    private static final int CHUNK_ROWS = 2_000;

    /** Switching partitions takes time, and there may be thousands of small ones: they are read together. */
    private static final int GROUP_RECORDS = 50_000;

    private static final int ROW_OVERHEAD_BYTES = 160;

    /** An input that is decided on after the cut may have been appended a while before it. */
    private static final Duration INPUT_DELAY_MARGIN = Duration.ofMinutes(1);

    private final KafkaClientSettings clients;
    private final String name;
    private final Duration patience;
    private final ConsistentCut consistentCut;
    private final Map<TablePartition, Long> committedOffsets;
    private final List<SiteId> sites;
    private final Runnable wakeUp;
    private final long startedNanos = System.nanoTime();
    private final BlockingQueue<CheckpointChunk> chunks = new ArrayBlockingQueue<>(MAX_QUEUED_CHUNKS);
    private final Thread thread;
    private volatile boolean stopped;
    private List<RowChange> rows = new ArrayList<>();
    private int bytes;
    private long rowCount;

    /**
     * @param committedOffsets of each partition, the offset after the records that were committed with the cut
     * @param sites sites whose tables are read
     * @param wakeUp wakes the deciding thread when a chunk is ready
     */
    CheckpointReader(
            KafkaClientSettings clients,
            String name,
            Duration patience,
            ConsistentCut consistentCut,
            Map<TablePartition, Long> committedOffsets,
            Collection<SiteId> sites,
            Runnable wakeUp) {
        this.wakeUp = wakeUp;
        this.clients = clients;
        this.name = name + "-checkpoint";
        this.patience = patience;
        this.consistentCut = consistentCut;
        this.committedOffsets = Map.copyOf(committedOffsets);
        this.sites = List.copyOf(sites);
        this.thread = Thread.ofPlatform()
                .name("checkpoint")
                .daemon()
                .uncaughtExceptionHandler((ended, bug) -> {
                    LOG.atError().setCause(bug).log("checkpoint reader ended by a bug");
                    deliver(new CheckpointChunk.CheckpointFailed("a bug ended the checkpoint reader: " + bug));
                })
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** The next chunk if one is ready, otherwise null. */
    @Nullable
    CheckpointChunk pollChunk() {
        return chunks.poll();
    }

    boolean hasChunks() {
        return !chunks.isEmpty();
    }

    /** Ends the reading: it was stopped, or the rows cannot be read. */
    private static final class ReadEndedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ReadEndedException(String message) {
            super(message);
        }
    }

    private void run() {
        try (PartitionReader reader = PartitionReader.forSequentialReads(clients, name, POLL_RECORDS, patience)) {
            List<TablePartition> partitions = listPartitions();
            Map<Topic, Duration> minCompactionLags = readMinCompactionLags(partitions);
            addRow(consistentCut.head());
            consistentCut.sites().values().forEach(this::addRow);
            Map<TablePartition, Long> ends = reader.endOffsets(partitions);
            // A commit is acknowledged before every partition's end offset includes it.
            committedOffsets.forEach((tablePartition, next) ->
                    ends.computeIfPresent(tablePartition, (same, end) -> Math.max(end, next)));
            for (List<TablePartition> group : groupPartitions(partitions, reader.beginningOffsets(partitions), ends)) {
                read(reader, group, ends, minCompactionLags);
            }
            flush();
            deliver(new CheckpointChunk.CheckpointEnd(rowCount));
        } catch (ReadEndedException | KafkaFailure lost) {
            deliver(new CheckpointChunk.CheckpointFailed(String.valueOf(lost.getMessage())));
        }
    }

    private List<TablePartition> listPartitions() {
        List<TablePartition> partitions = new ArrayList<>();
        FLEET_TABLES.forEach(table -> partitions.add(TablePartition.of(table)));
        for (SiteId site : sites) {
            for (Table table : SITE_TABLES) {
                for (int partition = 0; partition < table.partitions(); partition++) {
                    partitions.add(new TablePartition(table, site, partition));
                }
            }
        }
        return partitions;
    }

    private Map<Topic, Duration> readMinCompactionLags(List<TablePartition> partitions) {
        try (TopicReconciler topicReconciler = TopicReconciler.connect(clients, patience)) {
            return topicReconciler.minCompactionLags(partitions.stream()
                    .map(tablePartition -> new Topic(tablePartition.table(), tablePartition.site()))
                    .distinct()
                    .toList());
        } catch (KafkaFailure failure) {
            if (failure.kind() != KafkaFailure.Kind.NOT_ALLOWED) {
                throw failure;
            }
            LOG.atWarn()
                    .addKeyValue(LogKey.REASON.label(), failure.kind().label())
                    .addKeyValue(LogKey.DETAIL.label(), failure.getMessage())
                    .log("topic settings read failed");
            return Map.of();
        }
    }

    private void read(
            PartitionReader reader,
            List<TablePartition> group,
            Map<TablePartition, Long> ends,
            Map<Topic, Duration> minCompactionLags) {
        Map<TablePartition, PartitionSnapshot> tables = new LinkedHashMap<>();
        group.forEach(tablePartition -> tables.put(tablePartition, new PartitionSnapshot(consistentCut)));
        reader.assign(group);
        reader.seekToBeginning(group);
        long lastReadNanos = System.nanoTime();
        while (group.stream()
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
                lastReadNanos = now;
            } else if (now - lastReadNanos > READ_TIMEOUT.toNanos()) {
                throw new ReadEndedException(
                        "the broker returned no records of " + group + " within " + READ_TIMEOUT.toSeconds() + " s");
            }
            if (stopped) {
                throw new ReadEndedException("stopped");
            }
        }
        tables.forEach((tablePartition, table) -> {
            Duration minCompactionLag = minCompactionLags.getOrDefault(
                    new Topic(tablePartition.table(), tablePartition.site()), Duration.ZERO);
            if (!table.keysWrittenLater().isEmpty() && !keepsSupersededRecords(minCompactionLag)) {
                throw new ReadEndedException(tablePartition + ": compaction has removed the rows as of the cut of "
                        + table.keysWrittenLater().size() + " keys, such as "
                        + table.keysWrittenLater().iterator().next());
            }
            table.recordsAtCut().forEach(this::addRow);
        });
    }

    /** Groups partitions that are read together: several with few records, or one with many. */
    private static List<List<TablePartition>> groupPartitions(
            List<TablePartition> partitions, Map<TablePartition, Long> beginnings, Map<TablePartition, Long> ends) {
        List<List<TablePartition>> groups = new ArrayList<>();
        List<TablePartition> group = new ArrayList<>();
        long records = 0;
        for (TablePartition tablePartition : partitions) {
            long more = ends.getOrDefault(tablePartition, 0L) - beginnings.getOrDefault(tablePartition, 0L);
            if (!group.isEmpty() && records + more > GROUP_RECORDS) {
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

    /**
     * Whether compaction has kept every record that was superseded since the cut, so that a key seen only later is new.
     */
    private boolean keepsSupersededRecords(Duration minCompactionLag) {
        return System.nanoTime() - startedNanos
                < minCompactionLag.minus(INPUT_DELAY_MARGIN).toNanos();
    }

    private void addRow(ConsumedRecord consumedRecord) {
        switch (WireRecordCodec.decode(consumedRecord.record())) {
            case DecodeResult.Accepted<RowChange> accepted -> {
                byte[] value = consumedRecord.record().value();
                addRow(accepted.value(), value == null ? 0 : value.length);
            }
            case DecodeResult.Rejected<RowChange> rejected -> {
                // An input key whose newest record is unreadable has no row; table `rejected` says what applies.
                if (!OrchestratorPartitions.isInput(consumedRecord.partition().table())) {
                    throw new ReadEndedException("a row that an orchestrator wrote cannot be read: "
                            + consumedRecord.partition() + ", offset "
                            + consumedRecord.offset() + ", key "
                            + consumedRecord.record().key());
                }
            }
        }
    }

    private void addRow(TableRow head) {
        addRow(head, RowCodec.encode(head).length);
    }

    private void addRow(RowChange rowChange, int length) {
        if (rowChange instanceof Tombstone) {
            return;
        }
        int size = length + ROW_OVERHEAD_BYTES;
        if (!rows.isEmpty() && (bytes + size > CHUNK_BYTES || rows.size() >= CHUNK_ROWS)) {
            flush();
        }
        rows.add(rowChange);
        bytes += size;
        rowCount++;
    }

    private void flush() {
        if (!rows.isEmpty()) {
            deliver(new CheckpointChunk.ChunkRows(rows));
            rows = new ArrayList<>();
            bytes = 0;
        }
    }

    private void deliver(CheckpointChunk checkpointChunk) {
        try {
            while (!stopped && !chunks.offer(checkpointChunk, QUEUE_RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.trace("checkpoint chunk delayed");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            stopped = true;
        }
        wakeUp.run();
        if (stopped && checkpointChunk instanceof CheckpointChunk.ChunkRows) {
            throw new ReadEndedException("stopped");
        }
    }

    /** Stops the reading; remaining chunks are dropped. */
    @Override
    public void close() {
        stopped = true;
    }
}
