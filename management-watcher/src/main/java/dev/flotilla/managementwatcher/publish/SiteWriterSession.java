package dev.flotilla.managementwatcher.publish;

import dev.flotilla.core.watch.MassRemovalBreaker;
import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.report.ReceivedStatusTable;
import dev.flotilla.managementwatcher.report.StatusReporter;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.runtime.kafka.ComponentAcls;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One session as the only writer of a site's tables. It starts by fencing the writer before it and by reading what the
 * tables contain; that knowledge is valid in this session only.
 */
final class SiteWriterSession implements AutoCloseable {
    /** A site whose objects could not be read for this time is not watched any more: it gets no heartbeat. */
    static final Duration READ_FAILURE_LIMIT = Duration.ofSeconds(15);

    private static final long HEARTBEAT_INTERVAL = 10_000;
    private static final long PUBLISH_INTERVAL = 100;
    private static final int NOT_REPORTED = -1;
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(50);

    private final WatcherContext watcherContext;
    private final SiteId site;
    private final String managementUid;
    private final SiteMode mode;
    private final SiteObjectCache cache;
    private final WatcherClock clock;
    private final WatcherLoopListener listener;
    private final StatusReporter statusReporter;
    private final TransactionalRowWriter writer;
    private final OwnTopicResetDetector topics = new OwnTopicResetDetector();
    private final BatchedTransactionWriter batchedTransactionWriter;
    private final PublishedRows publishedRows = new PublishedRows();
    private final ReceivedStatusTable status = new ReceivedStatusTable();
    private final Set<ObjectKey> changed = new LinkedHashSet<>();
    private @Nullable PartitionReader tables;
    private @Nullable SiteRowPublisher siteRowPublisher;
    private long nextHeartbeatAt = Long.MIN_VALUE;
    private long nextPublishAt = Long.MIN_VALUE;
    private int reportedWithheld = NOT_REPORTED;
    private boolean complete;
    private boolean wrongCluster;

    SiteWriterSession(WatcherContext watcherContext, String managementUid, SiteMode mode, SiteObjectCache cache) {
        this.watcherContext = watcherContext;
        this.site = watcherContext.site();
        this.managementUid = managementUid;
        this.mode = mode;
        this.cache = cache;
        this.clock = watcherContext.clock();
        this.listener = watcherContext.listener();
        this.writer = new TransactionalRowWriter(
                watcherContext.kafka(), ComponentAcls.watcherTransactions(site), WatcherLoop.KAFKA_TIMEOUT);
        this.batchedTransactionWriter = new BatchedTransactionWriter(writer, topics, listener);
        this.statusReporter = new StatusReporter(
                cache,
                status,
                mode,
                publishedRows::intent,
                publishedRows::unreadableReason,
                watcherContext.objectWriter(),
                watcherContext.maxConcurrentWrites(),
                new ObjectViewFactory(site),
                clock::monotonicMillis,
                listener);
    }

    /** Fences the writer before and reads the tables. From then on the status table is followed. */
    void openSession(PartitionReader reader) {
        writer.init();
        TablePartition inventory = TablePartition.of(Table.INVENTORY, site);
        TablePartition intents = TablePartition.of(Table.INTENTS, site);
        TablePartition statusPartition = TablePartition.of(Table.STATUS, site);
        List<TablePartition> all = List.of(inventory, intents, statusPartition);
        reader.assign(all);
        reader.seekToBeginning(all);
        Map<TablePartition, Long> ends = reader.endOffsets(all);
        while (!ends.entrySet().stream().allMatch(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            for (ConsumedRecord consumedRecord : reader.poll(POLL_TIMEOUT)) {
                applyRecord(consumedRecord);
            }
        }
        cache.setAnnotationRules(mode, status.localPaths());
        reader.assign(List.of(statusPartition));
        topics.checkEndOffsets(reader.endOffsets(ownPartitions()));
        tables = reader;
        WatcherHeartbeat last = publishedRows.heartbeat();
        siteRowPublisher = new SiteRowPublisher(
                cache, publishedRows, mode, new MassRemovalBreaker(last, status.acceptedRemovalOrder()));
        wrongCluster = last != null
                && !last.managementUid().isEmpty()
                && !last.managementUid().equals(managementUid);
        if (wrongCluster && last != null) {
            listener.clusterIdentityChanged(last.managementUid(), managementUid);
        }
    }

    private List<TablePartition> ownPartitions() {
        return List.of(TablePartition.of(Table.INVENTORY, site), TablePartition.of(Table.INTENTS, site));
    }

    /** Applies a record of any of the three tables. */
    void applyRecord(ConsumedRecord consumedRecord) {
        if (consumedRecord.partition().table() == Table.STATUS) {
            List<String> localPaths = status.localPaths();
            String waitReason = status.siteWaitReason();
            ObjectKey object = status.applyRecord(consumedRecord);
            if (object != null) {
                statusReporter.markChanged(object);
            } else if (!Objects.equals(localPaths, status.localPaths())) {
                cache.setAnnotationRules(mode, status.localPaths());
            } else if (!Objects.equals(waitReason, status.siteWaitReason())) {
                statusReporter.markChanged(publishedRows.intentKeys());
            }
        } else {
            publishedRows.applyRecord(consumedRecord);
        }
    }

    /**
     * Writes the rows, the heartbeat and the statuses that are due.
     *
     * @param allReadable whether all objects can be read
     */
    void writeDueRows(boolean allReadable) {
        SiteRowPublisher publisher = siteRowPublisher;
        if (publisher == null || wrongCluster || !cache.isComplete()) {
            return;
        }
        if (!complete) {
            complete = true;
            cache.markAllChanged();
            changed.addAll(publishedRows.publishedKeys());
        }
        statusReporter.writeChanges();
        long ticks = clock.monotonicMillis();
        MassRemovalBreaker breaker = publisher.massRemovalBreaker();
        boolean ordered = breaker.applyOrder(status.acceptedRemovalOrder());
        boolean due = ticks >= nextHeartbeatAt && allReadable;
        boolean rowsDue = ticks >= nextPublishAt && (cache.hasChanged() || !changed.isEmpty());
        if (!due && !ordered && !rowsDue) {
            return;
        }
        if (due && tables != null) {
            topics.checkEndOffsets(tables.endOffsets(ownPartitions()));
        }
        nextPublishAt = ticks + PUBLISH_INTERVAL;
        changed.addAll(cache.drainChanged());
        statusReporter.markChanged(changed);
        int withheldBefore = breaker.countWithheld();
        publisher.writeChangedRows(changed, clock.wallMillis(), batchedTransactionWriter);
        changed.clear();
        if (due || breaker.countWithheld() != withheldBefore) {
            nextHeartbeatAt = ticks + HEARTBEAT_INTERVAL;
            batchedTransactionWriter.accept(
                    Objects.requireNonNull(publishedRows.encodeIfChanged(buildHeartbeat(breaker))));
        }
        if (breaker.countWithheld() != reportedWithheld) {
            reportedWithheld = breaker.countWithheld();
            listener.removalsWithheld(reportedWithheld);
        }
        batchedTransactionWriter.sendBatches();
        listener.writerStateChanged(allReadable);
    }

    private WatcherHeartbeat buildHeartbeat(MassRemovalBreaker breaker) {
        DetectedSiteMode found = watcherContext.mode().get();
        return new WatcherHeartbeat(
                site,
                managementUid,
                watcherContext.name(),
                Instant.ofEpochMilli(clock.wallMillis()),
                breaker.countWithheld(),
                mode,
                found == null ? null : found.modeConflict(),
                breaker.settleOrder(status.acceptedRemovalOrder()));
    }

    @Override
    public void close() {
        writer.close();
    }
}
