package dev.flotilla.simulator.watcher;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The watcher of one site. What it has published is what its own topics say, so a new one goes on where it was. */
public final class SimWatcher {
    /** How often it says that it is there. */
    public static final long HEARTBEAT = 10_000;

    private final SimProcess process;
    private final SimSite site;
    private final SimKafkaLog log;
    private final VirtualClockScheduler scheduler;
    private final Transcript transcript;
    private final TablePartition inventory;
    private final TablePartition intents;
    private final TablePartition status;
    private final Set<ObjectKey> touched = new LinkedHashSet<>();
    private final Map<RowKey, TableRow> published = new LinkedHashMap<>();
    private final MassRemovalGuard removal = new MassRemovalGuard();
    private final Map<MachineKey, Long> missed = new LinkedHashMap<>();
    private final Map<TablePartition, Long> ends = new LinkedHashMap<>();
    private @Nullable SimProducer producer;
    private @Nullable SimLogReader statusReader;
    private boolean publishing;
    private boolean again;
    private long laggingUntil;

    public SimWatcher(
            SimProcess process, SimSite site, SimKafkaLog log, VirtualClockScheduler scheduler, Transcript transcript) {
        this.process = process;
        this.site = site;
        this.log = log;
        this.scheduler = scheduler;
        this.transcript = transcript;
        this.inventory = TablePartition.of(Table.INVENTORY, site.id());
        this.intents = TablePartition.of(Table.INTENTS, site.id());
        this.status = TablePartition.of(Table.STATUS, site.id());
        process.onStartAndCrash(this::start, this::crash);
    }

    public SimProcess process() {
        return process;
    }

    /** From here on, for a while, nothing of what changes is published in time. */
    public void delayPublishing(long length) {
        laggingUntil = scheduler.now() + length;
    }

    /** For a while its list lacks a machine that is there: a filter that was changed, a stale cache, a move. */
    public void hideMachine(MachineKey key, long length) {
        transcript.append(process.name(), () -> "does not see " + key + " for " + length / 1000 + " s");
        missed.put(key, scheduler.now() + length);
        objectChanged(key);
        scheduler.after(length, () -> objectChanged(key));
    }

    /** An object changed. */
    public void objectChanged(ObjectKey key) {
        touched.add(key);
        if (process.isAlive() && !publishing) {
            publishing = true;
            long lag = process.drawDuration(50, 2500) + Math.max(0, laggingUntil - scheduler.now());
            process.later(lag, this::publish);
        }
    }

    private void start() {
        readPublished();
        publishing = true;
        process.later(process.drawDuration(50, 1000), this::publish);
        process.later(0, this::beat);
    }

    private void readPublished() {
        producer = log.init("flotilla.watcher." + site.id());
        removal.reset();
        published.clear();
        for (TablePartition tablePartition : new TablePartition[] {inventory, intents}) {
            for (SimLogReader.FetchedRecord fetchedRecord :
                    new SimLogReader(log).upTo(tablePartition, log.end(tablePartition))) {
                if (fetchedRecord.logged().rowChange() instanceof TableRow row) {
                    published.put(row.rowKey(), row);
                } else {
                    published.remove(fetchedRecord.logged().key());
                }
            }
        }
        noteEnds();
        SimLogReader reader = new SimLogReader(log);
        reader.seek(status, 0);
        statusReader = reader;
        // What nobody can read does not show in what it has published, and has to go as well.
        again = true;
    }

    private void crash() {
        publishing = false;
        touched.clear();
        producer = null;
    }

    /** What a list of all objects, and of all that was ever published, would show. */
    private void everything() {
        for (SimCluster cluster : site.clusters()) {
            touched.add(cluster.key());
        }
        for (SimMachine machine : site.machines()) {
            touched.add(machine.key());
        }
        for (SimMachineOwner owner : site.owners()) {
            touched.add(owner.key());
        }
        for (RowKey key : published.keySet()) {
            if (key.key() instanceof ObjectKey object) {
                touched.add(object);
            }
        }
    }

    /** Publishes everything again, whatever it thinks that it has published. */
    public void resync() {
        again = true;
        if (process.isAlive()) {
            process.later(1000, this::publish);
        }
    }

    /** What nobody can read in its own topics, and what is about nothing that there is, it takes away. */
    private void garbage() {
        for (TablePartition tablePartition : new TablePartition[] {inventory, intents}) {
            Set<RowKey> unreadable = new LinkedHashSet<>();
            for (SimLogReader.FetchedRecord fetchedRecord :
                    new SimLogReader(log).upTo(tablePartition, log.end(tablePartition))) {
                if (fetchedRecord.logged().rowChange() == null) {
                    unreadable.add(fetchedRecord.logged().key());
                } else {
                    unreadable.remove(fetchedRecord.logged().key());
                }
            }
            for (RowKey key : unreadable) {
                if (producer != null && !published.containsKey(key)) {
                    producer.send(tablePartition, new Tombstone(key));
                }
            }
        }
    }

    private void beat() {
        if (!process.continuesAfter("before a heartbeat")) {
            return;
        }
        // One that does not see the site as it is does not say that it is there.
        if (!process.cannotWrite() && !site.apiFails()) {
            if (!process.cannotRead()) {
                readAnewWhatIsLost();
                hearStatus();
            }
            send(new WatcherHeartbeat(
                    site.id(),
                    "management-" + site.id(),
                    process.name(),
                    Instant.ofEpochMilli(process.clock()),
                    removal.withheldRemovals()));
            commit();
        }
        process.later(HEARTBEAT, this::beat);
    }

    private void hearStatus() {
        if (statusReader != null) {
            for (SimLogReader.FetchedRecord fetchedRecord : statusReader.poll(scheduler.now(), Integer.MAX_VALUE)) {
                if (fetchedRecord.logged().rowChange() instanceof SiteStatus row && row.acceptedRemoval() != null) {
                    if (removal.accept(row.acceptedRemoval())) {
                        transcript.append(process.name(), () -> "may write the tombstones it held back");
                        everything();
                        process.later(500, this::publish);
                    }
                }
            }
        }
    }

    private void publish() {
        publishing = false;
        if (!process.continuesAfter("before publishing")) {
            return;
        }
        if (site.apiFails()) {
            return;
        }
        if (process.cannotWrite()) {
            publishing = true;
            process.later(2000, this::publish);
            return;
        }
        readAnewWhatIsLost();
        if (again) {
            everything();
        }
        Set<ObjectKey> now = new LinkedHashSet<>(touched);
        touched.clear();
        int known = Math.max(site.machines().size(), 1);
        for (ObjectKey key : now) {
            switch (key) {
                case ClusterKey cluster -> publishCluster(cluster);
                case MachineKey machine -> publishMachine(machine, known);
                case OwnerKey owner -> publishOwner(owner);
            }
        }
        if (process.continuesAfter("between sending and committing")) {
            if (again) {
                garbage();
                again = false;
            }
            commit();
        }
    }

    private void publishCluster(ClusterKey key) {
        for (SimCluster cluster : site.clusters()) {
            if (cluster.key().equals(key)) {
                differs(cluster.row());
                intent(key, cluster.uid(), cluster.intent());
            }
        }
    }

    /** Owners have no rows of their own: only what is asked of them. */
    private void publishOwner(OwnerKey key) {
        for (SimMachineOwner owner : site.owners()) {
            if (owner.key().equals(key)) {
                intent(key, owner.uid(), owner.intent());
                return;
            }
        }
        gone(new RowKey(Table.INTENTS, key));
    }

    private void publishMachine(MachineKey key, int known) {
        SimMachine machine = missed.getOrDefault(key, 0L) > scheduler.now() ? null : site.machine(key);
        RowKey at = new RowKey(Table.INVENTORY, key);
        if (machine != null) {
            removal.isThere(key);
            differs(machine.row());
            intent(key, machine.uid(), machine.intent());
        } else if (published.get(at) instanceof MachineRow && removal.mayRemove(key, scheduler.now(), known)) {
            gone(at);
            gone(new RowKey(Table.INTENTS, key));
        }
    }

    private void intent(ObjectKey object, String uid, @Nullable UpgradeTarget option) {
        RowKey at = new RowKey(Table.INTENTS, object);
        if (option == null) {
            gone(at);
        } else if (!(published.get(at) instanceof UpgradeIntent before)
                || !before.target().equals(option)
                || !before.uid().equals(uid)) {
            differs(new UpgradeIntent(object, uid, option, scheduler.instant()));
        } else {
            differs(before);
        }
    }

    private void differs(TableRow row) {
        if (again || !Objects.equals(published.get(row.rowKey()), row)) {
            send(row);
        }
    }

    private void gone(RowKey at) {
        if (published.containsKey(at)) {
            send(new Tombstone(at));
        }
    }

    private void send(RowChange rowChange) {
        if (producer != null) {
            producer.send(rowChange.rowKey().table() == Table.INTENTS ? intents : inventory, rowChange);
            if (rowChange instanceof TableRow row) {
                published.put(row.rowKey(), row);
            } else {
                published.remove(rowChange.rowKey());
            }
        }
    }

    /** A watcher that was fenced has nothing to say any more: it begins again from what the topics say. */
    private void commit() {
        if (producer != null && !producer.commit(null)) {
            process.crash("fenced", process.drawDuration(1000, 5000));
        } else {
            noteEnds();
        }
    }

    private void noteEnds() {
        ends.put(inventory, log.end(inventory));
        ends.put(intents, log.end(intents));
    }

    /** Nobody else writes to them: where one ends before it has ended, what was published is not there any more. */
    private void readAnewWhatIsLost() {
        if (ends.entrySet().stream().anyMatch(end -> log.end(end.getKey()) < end.getValue())) {
            transcript.append(process.name(), () -> "has lost what it has published, and publishes it again");
            readPublished();
            process.later(process.drawDuration(50, 1000), this::publish);
        }
    }
}
