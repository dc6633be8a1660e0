package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.Table;
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

/** The broker: partitions, and the fencing epoch of each transactional id. */
public final class SimKafkaLog {
    private final VirtualClockScheduler scheduler;
    private final Map<TablePartition, SimLogPartition> partitions = new LinkedHashMap<>();
    private final Map<String, SimProducer> producers = new LinkedHashMap<>();
    private final List<CommitListener> listeners = new ArrayList<>();
    private final SimSiteTopics sites;
    private final RecordSizeLimits limits = new RecordSizeLimits();
    private final Set<SiteId> created = new LinkedHashSet<>();
    private Consumer<String> onRefusal = why -> {
        throw new IllegalStateException(why);
    };
    private final List<Consumer<TablePartition>> lossListeners = new ArrayList<>();
    private boolean fencing = true;

    /** Told of each transaction as it becomes visible: the truth, whoever else learns of it. */
    @FunctionalInterface
    public interface CommitListener {
        /**
         * A transaction was committed.
         *
         * @param note what its writer attached for whoever checks
         */
        void committed(SimProducer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note);
    }

    public SimKafkaLog(VirtualClockScheduler scheduler) {
        this.scheduler = scheduler;
        this.sites = new SimSiteTopics(scheduler);
    }

    /** Which sites' topics can be used. */
    public SimSiteTopics sites() {
        return sites;
    }

    /** How large records may be. */
    public RecordSizeLimits limits() {
        return limits;
    }

    /** These sites have topics, and no others: a broker makes none by itself. */
    public void create(Collection<SiteId> those) {
        created.addAll(those);
    }

    /** Who is told of a record that the broker does not take. */
    public void onRefusal(Consumer<String> listener) {
        onRefusal = listener;
    }

    /** A broker that lets zombies write: for worlds that must fail. */
    public void disableFencing() {
        fencing = false;
    }

    boolean fencing() {
        return fencing;
    }

    public void onCommit(CommitListener listener) {
        listeners.add(listener);
    }

    /** Who is told of each partition that has lost records, with what is left of it. */
    public void onLoss(Consumer<TablePartition> listener) {
        lossListeners.add(listener);
    }

    /** A site's topic is deleted and created again, empty; who writes to it goes on. */
    public void recreate(SiteId site, Table table) {
        sites.recreated(site, table);
        for (int i = 0; i < table.partitions(); i++) {
            loseRecords(new TablePartition(table, site, i), 0);
        }
    }

    /** A copy of an older day takes the place of a partition: it is the same, and ends sooner. */
    public void truncate(TablePartition tablePartition, long left) {
        loseRecords(tablePartition, left);
    }

    private void loseRecords(TablePartition tablePartition, long left) {
        partition(tablePartition).truncate(left);
        producers.values().forEach(producer -> producer.dropSentRecords(tablePartition));
        lossListeners.forEach(listener -> listener.accept(tablePartition));
    }

    /** Takes over a transactional id: whoever had it is fenced, what it had open is aborted. */
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
        partition(tablePartition).tell();
    }

    /** Appends a record that nobody can read. */
    public void appendUnreadable(TablePartition tablePartition, RowKey key) {
        append(tablePartition, key, null, null);
        partition(tablePartition).tell();
    }

    void append(
            TablePartition tablePartition,
            RowKey key,
            @Nullable RowChange rowChange,
            @Nullable SimTransaction transaction) {
        String refusal = refusal(tablePartition, rowChange);
        if (refusal != null) {
            onRefusal.accept(refusal);
            return;
        }
        partition(tablePartition).append(key, rowChange, scheduler.now(), transaction);
    }

    void committed(SimProducer by, Map<TablePartition, List<RowChange>> records, @Nullable Object note) {
        for (CommitListener listener : listeners) {
            listener.committed(by, records, note);
        }
    }

    private @Nullable String refusal(TablePartition tablePartition, @Nullable RowChange rowChange) {
        SiteId site = tablePartition.site();
        if (site != null && !created.isEmpty() && !created.contains(site)) {
            return "there is no topic of " + tablePartition;
        }
        return rowChange == null ? null : limits.rejectionReason(rowChange);
    }

    public void addListener(TablePartition tablePartition, Runnable listener) {
        partition(tablePartition).addListener(listener);
    }

    /** Where the next record will stand. */
    public long end(TablePartition tablePartition) {
        SimLogPartition known = partitions.get(tablePartition);
        return known == null ? 0 : known.end();
    }

    /** Lets the cleaner go over a partition, up to an offset. */
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
