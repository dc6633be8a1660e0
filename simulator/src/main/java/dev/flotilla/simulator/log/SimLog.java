package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Scheduler;
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
public final class SimLog {
    private final Scheduler scheduler;
    private final Map<Place, Partition> partitions = new LinkedHashMap<>();
    private final Map<String, Producer> producers = new LinkedHashMap<>();
    private final List<CommitListener> listeners = new ArrayList<>();
    private final SiteTopics sites;
    private final RecordLimits limits = new RecordLimits();
    private final Set<SiteId> created = new LinkedHashSet<>();
    private Consumer<String> onRefusal = why -> {
        throw new IllegalStateException(why);
    };
    private boolean fencing = true;

    /** Told of each transaction as it becomes visible: the truth, whoever else learns of it. */
    @FunctionalInterface
    public interface CommitListener {
        /**
         * A transaction was committed.
         *
         * @param note what its writer attached for whoever checks
         */
        void committed(Producer by, Map<Place, List<Fact>> records, @Nullable Object note);
    }

    public SimLog(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.sites = new SiteTopics(scheduler);
    }

    /** Which sites' topics can be used. */
    public SiteTopics sites() {
        return sites;
    }

    /** How large records may be. */
    public RecordLimits limits() {
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
    public void neverFences() {
        fencing = false;
    }

    boolean fencing() {
        return fencing;
    }

    public void onCommit(CommitListener listener) {
        listeners.add(listener);
    }

    /** Takes over a transactional id: whoever had it is fenced, what it had open is aborted. */
    public Producer init(String transactionalId) {
        Producer before = producers.get(transactionalId);
        if (before != null && fencing) {
            before.fence();
        }
        Producer producer = new Producer(this, transactionalId, before == null ? 0 : before.epoch() + 1);
        producers.put(transactionalId, producer);
        return producer;
    }

    /** Appends a record outside any transaction, as operators do. */
    public void append(Place place, Fact fact) {
        append(place, fact.at(), fact, null);
        partition(place).tell();
    }

    /** Appends a record that nobody can read. */
    public void appendUnreadable(Place place, RowKey key) {
        append(place, key, null, null);
        partition(place).tell();
    }

    void append(Place place, RowKey key, @Nullable Fact fact, @Nullable Transaction transaction) {
        String refusal = refusal(place, fact);
        if (refusal != null) {
            onRefusal.accept(refusal);
            return;
        }
        partition(place).append(key, fact, scheduler.now(), transaction);
    }

    void committed(Producer by, Map<Place, List<Fact>> records, @Nullable Object note) {
        for (CommitListener listener : listeners) {
            listener.committed(by, records, note);
        }
    }

    private @Nullable String refusal(Place place, @Nullable Fact fact) {
        SiteId site = place.site();
        if (site != null && !created.isEmpty() && !created.contains(site)) {
            return "there is no topic of " + place;
        }
        return fact == null ? null : limits.refusal(fact);
    }

    public void listen(Place place, Runnable listener) {
        partition(place).listen(listener);
    }

    /** Where the next record will stand. */
    public long end(Place place) {
        return partition(place).end();
    }

    /** Lets the cleaner go over a partition, up to an offset. */
    public void compact(Place place, Chance chance, long horizon, long tombstonesBefore) {
        partition(place).compact(chance, horizon, tombstonesBefore);
    }

    public List<Place> places() {
        return List.copyOf(partitions.keySet());
    }

    Partition partition(Place place) {
        return partitions.computeIfAbsent(place, absent -> new Partition());
    }
}
