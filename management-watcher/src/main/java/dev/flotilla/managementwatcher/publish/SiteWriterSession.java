package dev.flotilla.managementwatcher.publish;

import dev.flotilla.core.watch.MassRemovalBreaker;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.mode.DetectedSiteMode;
import dev.flotilla.managementwatcher.report.ReceivedStatusTable;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.runtime.process.ProcessClock;
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
import java.util.Objects;
import java.util.Set;

/**
 * One session as the only writer of a site's tables: the rows of the site's objects, and heartbeats. What it knows of
 * the tables is valid in this session only.
 */
final class SiteWriterSession {
    /** A site whose objects could not be read for this time is not watched any more: it gets no heartbeat. */
    static final Duration READ_FAILURE_LIMIT = Duration.ofSeconds(15);

    private static final long HEARTBEAT_INTERVAL = 10_000;
    private static final long PUBLISH_INTERVAL = 100;
    private static final int NOT_REPORTED = -1;

    private final WatcherContext watcherContext;
    private final SiteId site;
    private final String managementUid;
    private final SiteMode mode;
    private final SiteObjectCache cache;
    private final ProcessClock clock;
    private final WatcherListener listener;
    private final PublishedRows publishedRows;
    private final ReceivedStatusTable status;
    private final PartitionReader reader;
    private final OwnTopicResetDetector topics = new OwnTopicResetDetector();
    private final BatchedTransactionWriter batchedTransactionWriter;
    private final MassRemovalBreaker massRemovalBreaker;
    private final SiteRowPublisher siteRowPublisher;
    private final Set<ObjectKey> changed = new LinkedHashSet<>();
    private final boolean wrongCluster;
    private long nextHeartbeatAt = Long.MIN_VALUE;
    private long nextPublishAt = Long.MIN_VALUE;
    private int reportedWithheld = NOT_REPORTED;
    private boolean complete;

    /**
     * Starts with the tables as they were read after the writer before was fenced.
     *
     * @param reader reads the ends of the site's own topics
     */
    SiteWriterSession(
            WatcherContext watcherContext,
            String managementUid,
            SiteMode mode,
            SiteObjectCache cache,
            PublishedRows publishedRows,
            ReceivedStatusTable status,
            TransactionalRowWriter writer,
            PartitionReader reader) {
        this.watcherContext = watcherContext;
        this.site = watcherContext.site();
        this.managementUid = managementUid;
        this.mode = mode;
        this.cache = cache;
        this.clock = watcherContext.clock();
        this.listener = watcherContext.listener();
        this.publishedRows = publishedRows;
        this.status = status;
        this.reader = reader;
        this.batchedTransactionWriter = new BatchedTransactionWriter(writer, topics, listener);
        checkOwnTopics();
        WatcherHeartbeat last = publishedRows.heartbeat();
        this.massRemovalBreaker = new MassRemovalBreaker(last, status.acceptedRemovalOrder());
        this.siteRowPublisher = new SiteRowPublisher(cache, publishedRows, mode, massRemovalBreaker);
        this.wrongCluster = last != null
                && !last.managementUid().isEmpty()
                && !last.managementUid().equals(managementUid);
        if (wrongCluster && last != null) {
            listener.clusterIdentityChanged(last.managementUid(), managementUid);
        }
    }

    private void checkOwnTopics() {
        topics.checkEndOffsets(reader.endOffsets(
                List.of(TablePartition.of(Table.INVENTORY, site), TablePartition.of(Table.INTENTS, site))));
    }

    /** Whether anything may be written: all objects were listed, and they are those of the site. */
    boolean mayWrite() {
        return !wrongCluster && cache.isComplete();
    }

    /**
     * Writes the rows and the heartbeat that are due, and returns the objects whose rows were compared.
     *
     * @param allReadable whether all objects can be read
     */
    Set<ObjectKey> writeDueRows(boolean allReadable) {
        if (!complete) {
            complete = true;
            cache.markAllChanged();
            changed.addAll(publishedRows.publishedKeys());
        }
        long ticks = clock.monotonicMillis();
        boolean ordered = massRemovalBreaker.applyOrder(status.acceptedRemovalOrder());
        boolean due = ticks >= nextHeartbeatAt && allReadable;
        boolean rowsDue = ticks >= nextPublishAt && (cache.hasChanged() || !changed.isEmpty());
        if (!due && !ordered && !rowsDue) {
            return Set.of();
        }
        if (due) {
            checkOwnTopics();
        }
        nextPublishAt = ticks + PUBLISH_INTERVAL;
        changed.addAll(cache.drainChanged());
        int withheldBefore = massRemovalBreaker.countWithheld();
        siteRowPublisher.writeChangedRows(changed, clock.wallMillis(), batchedTransactionWriter);
        Set<ObjectKey> compared = new LinkedHashSet<>(changed);
        changed.clear();
        // Another watcher must not apply the same order to other machines.
        if (due || ordered || massRemovalBreaker.countWithheld() != withheldBefore) {
            nextHeartbeatAt = ticks + HEARTBEAT_INTERVAL;
            batchedTransactionWriter.accept(Objects.requireNonNull(publishedRows.encodeIfChanged(buildHeartbeat())));
        }
        reportWithheldRemovals();
        batchedTransactionWriter.sendBatches();
        listener.writerStateChanged(allReadable);
        return compared;
    }

    private void reportWithheldRemovals() {
        int withheld = massRemovalBreaker.countWithheld();
        if (withheld != reportedWithheld) {
            reportedWithheld = withheld;
            listener.removalsWithheld(withheld);
        }
    }

    private WatcherHeartbeat buildHeartbeat() {
        DetectedSiteMode found = watcherContext.mode().get();
        return new WatcherHeartbeat(
                site,
                managementUid,
                watcherContext.name(),
                Instant.ofEpochMilli(clock.wallMillis()),
                massRemovalBreaker.countWithheld(),
                mode,
                found == null ? null : found.modeConflict(),
                massRemovalBreaker.settleOrder(status.acceptedRemovalOrder()));
    }
}
