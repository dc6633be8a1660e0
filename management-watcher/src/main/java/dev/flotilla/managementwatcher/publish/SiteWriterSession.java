package dev.flotilla.managementwatcher.publish;

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
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
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
 * A life as the one writer of a site's tables: it begins with fencing whoever wrote before, and with reading what they say. What
 * is known of them is true for so long alone.
 */
final class SiteWriterSession implements AutoCloseable {
    /** A site of which something was not seen for so long is not being watched. */
    static final Duration BLIND = Duration.ofSeconds(15);

    private static final long HEARTBEAT = 10_000;
    private static final long WINDOW = 100;
    private static final Duration TICK = Duration.ofMillis(50);

    private final WatcherContext watcherContext;
    private final SiteId site;
    private final String management;
    private final SiteMode mode;
    private final SiteObjectCache view;
    private final WatcherClock time;
    private final WatcherLoopListener listener;
    private final StatusReporter statusReporter;
    private final TransactionalRowWriter writer;
    private final OwnTopicResetDetector topics = new OwnTopicResetDetector();
    private final BatchedTransactionWriter batchedTransactionWriter;
    private final PublishedRows publishedRows = new PublishedRows();
    private final ReceivedStatusTable status = new ReceivedStatusTable();
    private final Set<ObjectKey> touched = new LinkedHashSet<>();
    private @Nullable PartitionReader tables;
    private @Nullable SiteRowPublisher siteRowPublisher;
    private @Nullable String spentOrder;
    private long beatsAgain = Long.MIN_VALUE;
    private long publishesAgain = Long.MIN_VALUE;
    private boolean whole;
    private boolean stranger;

    SiteWriterSession(WatcherContext watcherContext, String management, SiteMode mode, SiteObjectCache view) {
        this.watcherContext = watcherContext;
        this.site = watcherContext.site();
        this.management = management;
        this.mode = mode;
        this.view = view;
        this.time = watcherContext.clock();
        this.listener = watcherContext.listener();
        this.writer = new TransactionalRowWriter(
                watcherContext.kafka(), ComponentAcls.watcherTransactions(site), WatcherLoop.PATIENCE);
        this.batchedTransactionWriter = new BatchedTransactionWriter(writer, topics, listener);
        this.statusReporter = new StatusReporter(
                view,
                status,
                mode,
                publishedRows::intent,
                publishedRows::unreadableReason,
                watcherContext.objectWriter(),
                watcherContext.maxConcurrentWrites(),
                new ObjectViewFactory(site),
                time::monotonicMillis,
                listener);
    }

    /** Fences whoever wrote before, and reads. The orchestrator's words are followed from then on. */
    void openSession(PartitionReader reader) {
        writer.init();
        TablePartition inventory = TablePartition.of(Table.INVENTORY, site);
        TablePartition intents = TablePartition.of(Table.INTENTS, site);
        TablePartition words = TablePartition.of(Table.STATUS, site);
        List<TablePartition> all = List.of(inventory, intents, words);
        reader.assign(all);
        reader.seekToBeginning(all);
        Map<TablePartition, Long> ends = reader.endOffsets(all);
        while (!ends.entrySet().stream().allMatch(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            for (ConsumedRecord consumedRecord : reader.poll(TICK)) {
                applyRecord(consumedRecord);
            }
        }
        reader.assign(List.of(words));
        topics.checkEndOffsets(reader.endOffsets(own()));
        tables = reader;
        siteRowPublisher = new SiteRowPublisher(view, publishedRows, mode);
        WatcherHeartbeat last = publishedRows.heartbeat();
        stranger = last != null
                && !last.managementUid().isEmpty()
                && !last.managementUid().equals(management);
        if (stranger && last != null) {
            listener.clusterIdentityChanged(last.managementUid(), management);
        }
        // An order that was given while nobody heard still counts; one that was followed does not.
        spentOrder = last == null ? status.acceptedRemovalOrder() : last.appliedRemovalOrder();
    }

    private List<TablePartition> own() {
        return List.of(TablePartition.of(Table.INVENTORY, site), TablePartition.of(Table.INTENTS, site));
    }

    /** Takes a record of any of the three. */
    void applyRecord(ConsumedRecord consumedRecord) {
        if (consumedRecord.partition().table() == Table.STATUS) {
            List<String> paths = status.localPaths();
            String waiting = status.siteWaitReason();
            ObjectKey about = status.applyRecord(consumedRecord);
            if (about != null) {
                statusReporter.markChanged(about);
            } else if (!Objects.equals(paths, status.localPaths())) {
                view.markAllChanged();
            } else if (!Objects.equals(waiting, status.siteWaitReason())) {
                statusReporter.markChanged(publishedRows.intentKeys());
            }
        } else {
            publishedRows.applyRecord(consumedRecord);
        }
    }

    /**
     * Writes what is to be written by now.
     *
     * @param sees whether everything is seen as it is
     */
    void writeDueRows(boolean sees) {
        SiteRowPublisher now = siteRowPublisher;
        if (now == null || stranger || !view.isComplete()) {
            return;
        }
        if (!whole) {
            whole = true;
            view.markAllChanged();
            touched.addAll(publishedRows.publishedKeys());
        }
        statusReporter.writeChanges();
        long ticks = time.monotonicMillis();
        boolean ordered = isOrdered(now);
        boolean due = ticks >= beatsAgain && sees;
        boolean changed = ticks >= publishesAgain && (view.hasChanged() || !touched.isEmpty());
        if (!due && !ordered && !changed) {
            return;
        }
        if (due && tables != null) {
            topics.checkEndOffsets(tables.endOffsets(own()));
        }
        publishesAgain = ticks + WINDOW;
        touched.addAll(view.drainChanged());
        statusReporter.markChanged(touched);
        int heldBefore = now.countWithheldRemovals();
        now.write(touched, time.wallMillis(), batchedTransactionWriter);
        touched.clear();
        if (due || now.countWithheldRemovals() != heldBefore) {
            beatsAgain = ticks + HEARTBEAT;
            batchedTransactionWriter.accept(Objects.requireNonNull(publishedRows.changedRecord(beat(now))));
        }
        if (now.countWithheldRemovals() != heldBefore) {
            listener.removalsWithheld(now.countWithheldRemovals());
        }
        batchedTransactionWriter.sendBatches();
        listener.writerStateChanged(sees);
    }

    private WatcherHeartbeat beat(SiteRowPublisher now) {
        DetectedSiteMode found = watcherContext.mode().get();
        if (now.countWithheldRemovals() == 0) {
            // An order that was given while there was nothing to accept is not for what may vanish later.
            spentOrder = status.acceptedRemovalOrder();
        }
        return new WatcherHeartbeat(
                site,
                management,
                watcherContext.name(),
                Instant.ofEpochMilli(time.wallMillis()),
                now.countWithheldRemovals(),
                mode,
                found == null ? null : found.modeConflict(),
                spentOrder);
    }

    /** Whether somebody has just said that the machines held back are really gone. */
    private boolean isOrdered(SiteRowPublisher now) {
        String order = status.acceptedRemovalOrder();
        if (order == null || order.equals(spentOrder) || now.countWithheldRemovals() == 0) {
            return false;
        }
        spentOrder = order;
        now.acceptRemovals();
        return true;
    }

    @Override
    public void close() {
        writer.close();
    }
}
