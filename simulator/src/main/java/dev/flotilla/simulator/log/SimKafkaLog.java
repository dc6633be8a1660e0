package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The simulated broker: partitions, and the fencing epoch of each transactional id. */
public final class SimKafkaLog {
    private final VirtualClockScheduler scheduler;
    private final Map<TablePartition, SimLogPartition> partitions = new LinkedHashMap<>();
    private final Map<String, SimProducer> producers = new LinkedHashMap<>();
    private final List<CommitListener> listeners = new ArrayList<>();
    private final SimSiteTopics sites;
    private final RecordSizeLimits limits = new RecordSizeLimits();
    private final Set<SiteId> sitesWithTopics = new LinkedHashSet<>();
    private Consumer<String> onRejection = reason -> {
        throw new IllegalStateException(reason);
    };
    private final List<Consumer<TablePartition>> lossListeners = new ArrayList<>();
    private boolean fencing = true;

    /** Called for each transaction when it becomes visible, independent of what any reader has read. */
    @FunctionalInterface
    public interface CommitListener {
        /**
         * A transaction was committed.
         *
         * @param note what its writer attached for the invariant checks
         */
        void committed(SimProducer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note);
    }

    public SimKafkaLog(VirtualClockScheduler scheduler) {
        this.scheduler = scheduler;
        this.sites = new SimSiteTopics(scheduler);
    }

    /** Which sites' topics are usable. */
    public SimSiteTopics sites() {
        return sites;
    }

    /** The limits on record sizes. */
    public RecordSizeLimits limits() {
        return limits;
    }

    /** Creates the topics of these sites; the broker does not create topics automatically. */
    public void createSiteTopics(Collection<SiteId> sites) {
        sitesWithTopics.addAll(sites);
    }

    /** Sets the listener for records that the broker rejects. */
    public void onRejection(Consumer<String> listener) {
        onRejection = listener;
    }

    /** Lets fenced producers write: for worlds that must violate an invariant. */
    public void disableFencing() {
        fencing = false;
    }

    public void onCommit(CommitListener listener) {
        listeners.add(listener);
    }

    /** Adds a listener for partitions that have lost records; it is called after the loss. */
    public void onLoss(Consumer<TablePartition> listener) {
        lossListeners.add(listener);
    }

    /** Deletes a site's topic and creates it again, empty. Its producers continue. */
    public void recreate(SiteId site, Table table) {
        sites.recreated(site, table);
        for (int i = 0; i < table.partitions(); i++) {
            loseRecords(new TablePartition(table, site, i), 0);
        }
    }

    /** Restores a partition from an older copy: the same records, but it ends earlier. */
    public void truncate(TablePartition tablePartition, long left) {
        loseRecords(tablePartition, left);
    }

    private void loseRecords(TablePartition tablePartition, long left) {
        partition(tablePartition).truncate(left);
        producers.values().forEach(producer -> producer.dropSentRecords(tablePartition));
        lossListeners.forEach(listener -> listener.accept(tablePartition));
    }

    /** Takes over a transactional id: the previous producer is fenced, and its open transaction is aborted. */
    public SimProducer init(String transactionalId) {
        SimProducer before = producers.get(transactionalId);
        if (before != null && fencing) {
            before.fence();
        }
        SimProducer producer = new SimProducer(this, transactionalId, before == null ? 0 : before.epoch() + 1);
        producers.put(transactionalId, producer);
        return producer;
    }

    /** Appends a record outside any transaction, as operators do. */
    public void append(TablePartition tablePartition, RowChange rowChange) {
        append(tablePartition, rowChange.rowKey(), rowChange, null);
        partition(tablePartition).notifyListeners();
    }

    /** Appends a record that cannot be decoded. */
    public void appendUnreadable(TablePartition tablePartition, RowKey key) {
        append(tablePartition, key, null, null);
        partition(tablePartition).notifyListeners();
    }

    void append(
            TablePartition tablePartition,
            RowKey key,
            @Nullable RowChange rowChange,
            @Nullable SimTransaction transaction) {
        String refusal = rejectionReason(tablePartition, rowChange);
        if (refusal != null) {
            onRejection.accept(refusal);
            return;
        }
        partition(tablePartition).append(key, rowChange, scheduler.now(), transaction);
    }

    void committed(SimProducer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note) {
        for (CommitListener listener : listeners) {
            listener.committed(by, records, note);
        }
    }

    private @Nullable String rejectionReason(TablePartition tablePartition, @Nullable RowChange rowChange) {
        SiteId site = tablePartition.site();
        if (site != null && !sitesWithTopics.isEmpty() && !sitesWithTopics.contains(site)) {
            return "there is no topic of " + tablePartition;
        }
        return rowChange == null ? null : limits.rejectionReason(rowChange);
    }

    public void addListener(TablePartition tablePartition, Runnable listener) {
        partition(tablePartition).addListener(listener);
    }

    /** The offset of the next record. */
    public long end(TablePartition tablePartition) {
        SimLogPartition known = partitions.get(tablePartition);
        return known == null ? 0 : known.end();
    }

    /** Compacts a partition up to an offset. */
    public void compact(TablePartition tablePartition, SeededRandom chance, long horizon, long tombstonesBefore) {
        partition(tablePartition).compact(chance, horizon, tombstonesBefore);
    }

    public List<TablePartition> partitionKeys() {
        return List.copyOf(partitions.keySet());
    }

    SimLogPartition partition(TablePartition tablePartition) {
        return partitions.computeIfAbsent(tablePartition, absent -> new SimLogPartition());
    }
}
