package dev.flotilla.managementwatcher.publish;

import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.report.ReceivedStatusTable;
import dev.flotilla.managementwatcher.report.StatusReporter;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.watch.WatchEventHandler;
import dev.flotilla.runtime.retry.JitteredBackoff;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the watcher, on its own thread, which owns the object cache. In a session it writes the site's tables,
 * and shows the status rows on the objects. When another watcher has fenced it, it stands by, and takes over when the
 * heartbeats of the other have stopped.
 */
public final class WatcherLoop implements AutoCloseable {
    private static final Duration KAFKA_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(50);
    private static final int POLL_RECORDS = 2_000;
    private static final JitteredBackoff RETRY_BACKOFF = JitteredBackoff.constant(Duration.ofMillis(500));
    private static final JitteredBackoff IDENTITY_BACKOFF = JitteredBackoff.constant(Duration.ofSeconds(1));
    private static final long TICK_MILLIS = 50;

    /** A writer that has sent no heartbeat for this time is replaced; heartbeats are sent every ten seconds. */
    private static final long HEARTBEAT_TIMEOUT = 25_000;

    private static final long STOP_TIMEOUT = 10_000;

    private final WatcherContext watcherContext;
    private final Supplier<@Nullable String> identity;
    private final ObjectChangeQueue objectChangeQueue;
    private final SiteObjectCache cache = new SiteObjectCache();
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * Creates the loop.
     *
     * @param identity reads the uid of the management cluster; null while it cannot be read
     */
    public WatcherLoop(WatcherContext watcherContext, Supplier<@Nullable String> identity) {
        this.watcherContext = watcherContext;
        this.identity = identity;
        this.objectChangeQueue =
                new ObjectChangeQueue(watcherContext.clock()::monotonicMillis, watcherContext.listener());
        this.thread = Thread.ofPlatform()
                .name("watcher")
                .uncaughtExceptionHandler(
                        (ended, bug) -> watcherContext.listener().loopFailed(bug))
                .unstarted(this::run);
    }

    /** Returns the handler to which reflectors send their events. */
    public WatchEventHandler eventHandler() {
        return objectChangeQueue;
    }

    public void start() {
        thread.start();
    }

    /** Stops the loop and waits for it. */
    @Override
    public void close() {
        stopped = true;
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            String managementUid = readManagementUid();
            while (!stopped && managementUid != null) {
                DetectedSiteMode mode = watcherContext.mode().get();
                if (mode == null) {
                    pause(RETRY_BACKOFF.delayMillis());
                    continue;
                }
                try {
                    runSession(managementUid, mode.mode());
                } catch (KafkaFailure failure) {
                    watcherContext.listener().writerStateChanged(false);
                    watcherContext.listener().kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
                    boolean fenced = failure.kind() == KafkaFailure.Kind.FENCED;
                    pause(RETRY_BACKOFF.delayMillis());
                    if (fenced) {
                        standBy();
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable String readManagementUid() throws InterruptedException {
        while (!stopped) {
            String uid = identity.get();
            if (uid != null) {
                return uid;
            }
            pause(IDENTITY_BACKOFF.delayMillis());
        }
        return null;
    }

    /**
     * Runs one session as the only writer, until the site's mode changes, because nearly every row depends on the mode.
     * It fences the writer before, reads the tables, and follows the status table from then on.
     */
    private void runSession(String managementUid, SiteMode mode) throws InterruptedException {
        try (PartitionReader reader = openReader();
                TransactionalRowWriter writer = new TransactionalRowWriter(
                        watcherContext.kafka(),
                        ComponentAcls.watcherTransactions(watcherContext.site()),
                        KAFKA_TIMEOUT)) {
            writer.init();
            PublishedRows publishedRows = new PublishedRows();
            ReceivedStatusTable status = new ReceivedStatusTable();
            readTables(reader, publishedRows, status);
            Map<ClusterKey, List<VersionField>> publishedVersionFields = publishedRows.versionFields();
            cache.setAnnotationRules(mode, status.annotationRules());
            SiteWriterSession siteWriterSession = new SiteWriterSession(
                    watcherContext, managementUid, mode, cache, publishedRows, status, writer, reader);
            StatusReporter statusReporter = new StatusReporter(
                    watcherContext.site(),
                    cache,
                    status,
                    mode,
                    publishedRows,
                    watcherContext.objectWriter(),
                    watcherContext.maxConcurrentWrites(),
                    watcherContext.clock(),
                    watcherContext.listener());
            long nextPollAt = Long.MIN_VALUE;
            while (!stopped && isModeStill(mode)) {
                objectChangeQueue.drainChanges(cache, TICK_MILLIS);
                // Polls Kafka at most once a tick, because a poll costs more than handling a watch event.
                if (watcherContext.clock().monotonicMillis() >= nextPollAt) {
                    nextPollAt = watcherContext.clock().monotonicMillis() + TICK_MILLIS;
                    for (ConsumedRecord consumedRecord : reader.poll(Duration.ZERO)) {
                        statusReporter.applyRecord(consumedRecord);
                    }
                    watcherContext.inPlaceClusters().activeTasks(cache.tasks().isAnyActive());
                }
                Map<ClusterKey, List<VersionField>> versionFields =
                        watcherContext.inPlaceClusters().fields();
                cache.setVersionFields(
                        versionFields == null ? publishedVersionFields : versionFields, versionFields != null);
                if (siteWriterSession.mayWrite()) {
                    watcherContext.inPlaceClusters().openClusters(status.clusterUpgrades());
                    boolean allReadable = !objectChangeQueue.isReadFailing(SiteWriterSession.READ_FAILURE_LIMIT);
                    statusReporter.writeChanges();
                    statusReporter.markChanged(siteWriterSession.writeDueRows(allReadable));
                }
            }
            watcherContext.listener().writerStateChanged(false);
        } finally {
            // Another watcher may write from now on.
            watcherContext.inPlaceClusters().openClusters(List.of());
        }
    }

    /** Reads the site's tables up to their ends, and stays at the end of the status table. */
    private void readTables(PartitionReader reader, PublishedRows publishedRows, ReceivedStatusTable status) {
        TablePartition statusPartition = TablePartition.of(Table.STATUS, watcherContext.site());
        List<TablePartition> all = List.of(
                TablePartition.of(Table.INVENTORY, watcherContext.site()),
                TablePartition.of(Table.INTENTS, watcherContext.site()),
                statusPartition);
        reader.assign(all);
        reader.seekToBeginning(all);
        Map<TablePartition, Long> ends = reader.endOffsets(all);
        while (!ends.entrySet().stream().allMatch(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            for (ConsumedRecord consumedRecord : reader.poll(POLL_TIMEOUT)) {
                if (consumedRecord.partition().equals(statusPartition)) {
                    status.applyRecord(consumedRecord);
                } else {
                    publishedRows.applyRecord(consumedRecord);
                }
            }
        }
        reader.assign(List.of(statusPartition));
    }

    private boolean isModeStill(SiteMode mode) {
        DetectedSiteMode now = watcherContext.mode().get();
        return now != null && now.mode() == mode;
    }

    /** Waits until no other watcher sends heartbeats for this site. */
    private void standBy() throws InterruptedException {
        while (!stopped) {
            try (PartitionReader reader = openReader()) {
                TablePartition inventory = TablePartition.of(Table.INVENTORY, watcherContext.site());
                reader.assign(List.of(inventory));
                Map<TablePartition, Long> ends = reader.endOffsets(List.of(inventory));
                reader.seek(inventory, ends.getOrDefault(inventory, 0L));
                long lastHeartbeatAt = watcherContext.clock().monotonicMillis();
                while (!stopped && watcherContext.clock().monotonicMillis() - lastHeartbeatAt < HEARTBEAT_TIMEOUT) {
                    objectChangeQueue.drainChanges(cache, TICK_MILLIS);
                    if (reader.poll(Duration.ZERO).stream().anyMatch(this::isHeartbeat)) {
                        lastHeartbeatAt = watcherContext.clock().monotonicMillis();
                    }
                }
                return;
            } catch (KafkaFailure failure) {
                watcherContext.listener().kafkaFailed(failure.kind().label(), String.valueOf(failure.getMessage()));
                pause(RETRY_BACKOFF.delayMillis());
            }
        }
    }

    private boolean isHeartbeat(ConsumedRecord consumedRecord) {
        String key = RecordKeyFormat.print(new RowKey(Table.INVENTORY, watcherContext.site()));
        return Objects.equals(consumedRecord.record().key(), key);
    }

    private PartitionReader openReader() {
        return PartitionReader.forFewPartitions(
                watcherContext.kafka(), watcherContext.name() + "-tables", POLL_RECORDS, KAFKA_TIMEOUT);
    }

    /** Pauses while events are still applied, so that no reflector has to wait. */
    private void pause(long millis) throws InterruptedException {
        long until = watcherContext.clock().monotonicMillis() + millis;
        while (!stopped && watcherContext.clock().monotonicMillis() < until) {
            objectChangeQueue.drainChanges(cache, TICK_MILLIS);
        }
    }
}
