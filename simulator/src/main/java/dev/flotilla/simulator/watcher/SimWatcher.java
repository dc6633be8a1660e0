package dev.flotilla.simulator.watcher;

import dev.flotilla.core.watch.MassRemovalBreaker;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The watcher of one site. Its own topics hold what it has published, so a new one continues from there. */
public final class SimWatcher {
    /** How often it sends a heartbeat. */
    public static final long HEARTBEAT_INTERVAL = 10_000;

    private final SimProcess process;
    private final SimSite site;
    private final SimKafkaLog log;
    private final VirtualClockScheduler scheduler;
    private final Transcript transcript;
    private final TablePartition inventory;
    private final TablePartition intents;
    private final TablePartition status;
    private final Set<ObjectKey> changedKeys = new LinkedHashSet<>();
    private final Map<RowKey, TableRow> published = new LinkedHashMap<>();
    private final Set<MachineKey> missing = new LinkedHashSet<>();
    private final Map<MachineKey, Long> hiddenUntil = new LinkedHashMap<>();
    private final Map<TablePartition, Long> ends = new LinkedHashMap<>();
    private MassRemovalBreaker massRemovalBreaker = new MassRemovalBreaker(null, null);
    private @Nullable String acceptedRemoval;
    private @Nullable SimProducer producer;
    private @Nullable SimLogReader statusReader;
    private boolean publishing;
    private boolean publishesAll;
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

    /** Delays publishing for a while. */
    public void delayPublishing(long length) {
        laggingUntil = scheduler.now() + length;
    }

    /** Hides an existing machine from its list for a while: a filter was changed, a cache is stale, or it was moved. */
    public void hideMachine(MachineKey key, long length) {
        transcript.append(process.name(), () -> "does not see " + key + " for " + length / 1000 + " s");
        hiddenUntil.put(key, scheduler.now() + length);
        objectChanged(key);
        scheduler.after(length, () -> objectChanged(key));
    }

    /** Called when an object has changed. */
    public void objectChanged(ObjectKey key) {
        changedKeys.add(key);
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
        process.later(0, this::sendHeartbeat);
    }

    private void readPublished() {
        producer = log.init("flotilla.watcher." + site.id());
        published.clear();
        missing.clear();
        List<Long> removalTimes = new ArrayList<>();
        for (TablePartition tablePartition : new TablePartition[] {inventory, intents}) {
            for (SimLogReader.FetchedRecord fetchedRecord :
                    new SimLogReader(log).upTo(tablePartition, log.end(tablePartition))) {
                RowChange rowChange = fetchedRecord.logged().rowChange();
                if (rowChange instanceof TableRow row) {
                    published.put(row.rowKey(), row);
                } else if (published.remove(fetchedRecord.logged().key()) instanceof MachineRow removed
                        && rowChange != null
                        && !removed.deleting()) {
                    removalTimes.add(fetchedRecord.logged().appendedAt());
                }
            }
        }
        SimLogReader reader = new SimLogReader(log);
        statusReader = reader;
        acceptedRemoval = null;
        reader.upTo(status, log.end(status)).forEach(this::readAcceptedRemoval);
        massRemovalBreaker = new MassRemovalBreaker(
                published.get(new RowKey(Table.INVENTORY, site.id())) instanceof WatcherHeartbeat last ? last : null,
                acceptedRemoval);
        removalTimes.forEach(massRemovalBreaker::recordRemoval);
        recordEnds();
        // Unreadable records are not among the published rows, and have to be deleted as well.
        publishesAll = true;
    }

    private void crash() {
        publishing = false;
        changedKeys.clear();
        producer = null;
    }

    /** Marks all objects that exist or were ever published as changed. */
    private void markAllChanged() {
        for (SimCluster cluster : site.clusters()) {
            changedKeys.add(cluster.key());
        }
        for (SimMachine machine : site.machines()) {
            changedKeys.add(machine.key());
        }
        for (SimMachineOwner owner : site.owners()) {
            changedKeys.add(owner.key());
        }
        for (RowKey key : published.keySet()) {
            if (key.key() instanceof ObjectKey object) {
                changedKeys.add(object);
            }
        }
    }

    /** Publishes everything again, even if it is already published. */
    public void resync() {
        publishesAll = true;
        if (process.isAlive()) {
            process.later(1000, this::publish);
        }
    }

    /** Deletes unreadable records in its own topics that belong to no published row. */
    private void deleteUnreadableRecords() {
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

    private void sendHeartbeat() {
        if (!process.continuesAfter("before a heartbeat")) {
            return;
        }
        // A watcher that does not see the whole site sends no heartbeat.
        if (!process.cannotWrite() && !site.apiFails()) {
            if (!process.cannotRead()) {
                recoverLostRows();
                readStatus();
            }
            send(new WatcherHeartbeat(
                    site.id(),
                    "management-" + site.id(),
                    process.name(),
                    Instant.ofEpochMilli(process.clock()),
                    massRemovalBreaker.countWithheld(),
                    null,
                    null,
                    massRemovalBreaker.settleOrder(acceptedRemoval)));
            commit();
        }
        process.later(HEARTBEAT_INTERVAL, this::sendHeartbeat);
    }

    private void readStatus() {
        if (statusReader != null) {
            statusReader.poll(scheduler.now(), Integer.MAX_VALUE).forEach(this::readAcceptedRemoval);
            if (massRemovalBreaker.applyOrder(acceptedRemoval)) {
                transcript.append(process.name(), () -> "may write the tombstones that it has withheld");
                markAllChanged();
                process.later(500, this::publish);
            }
        }
    }

    private void readAcceptedRemoval(SimLogReader.FetchedRecord fetchedRecord) {
        if (fetchedRecord.logged().rowChange() instanceof SiteStatus row) {
            acceptedRemoval = row.acceptedRemoval();
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
        recoverLostRows();
        if (publishesAll) {
            markAllChanged();
        }
        Set<ObjectKey> now = new LinkedHashSet<>(changedKeys);
        changedKeys.clear();
        Set<MachineKey> removable = selectRemovable(now);
        now.addAll(removable);
        for (ObjectKey key : now) {
            switch (key) {
                case ClusterKey cluster -> publishCluster(cluster);
                case MachineKey machine -> publishMachine(machine, removable);
                case OwnerKey owner -> publishOwner(owner);
            }
        }
        if (process.continuesAfter("between sending and committing")) {
            if (publishesAll) {
                deleteUnreadableRecords();
                publishesAll = false;
            }
            commit();
        }
    }

    private void publishCluster(ClusterKey key) {
        for (SimCluster cluster : site.clusters()) {
            if (cluster.key().equals(key)) {
                sendIfChanged(cluster.row());
                publishIntent(key, cluster.uid(), cluster.intent());
            }
        }
    }

    /** Publishes an owner's intent; owners have no row of their own in the inventory. */
    private void publishOwner(OwnerKey key) {
        for (SimMachineOwner owner : site.owners()) {
            if (owner.key().equals(key)) {
                publishIntent(key, owner.uid(), owner.intent());
                return;
            }
        }
        if (massRemovalBreaker.countWithheld() > 0) {
            // The list is in doubt, so the intent stays for now.
            changedKeys.add(key);
        } else {
            sendTombstoneIfPublished(new RowKey(Table.INTENTS, key));
        }
    }

    private @Nullable SimMachine visibleMachine(MachineKey key) {
        return hiddenUntil.getOrDefault(key, 0L) > scheduler.now() ? null : site.machine(key);
    }

    /** Returns which of the changed machines do not exist any more and may be removed; remembers the others. */
    private Set<MachineKey> selectRemovable(Set<ObjectKey> changed) {
        Set<MachineKey> removable = new LinkedHashSet<>();
        for (ObjectKey object : changed) {
            if (object instanceof MachineKey key
                    && visibleMachine(key) == null
                    && published.get(new RowKey(Table.INVENTORY, key)) instanceof MachineRow row) {
                (row.deleting() ? removable : missing).add(key);
            }
        }
        missing.removeIf(key -> visibleMachine(key) != null);
        removable.addAll(massRemovalBreaker.selectRemovable(
                missing, missing.isEmpty() ? 0 : countPublishedMachines(), process.clock()));
        missing.removeAll(removable);
        return removable;
    }

    private int countPublishedMachines() {
        return (int)
                published.values().stream().filter(MachineRow.class::isInstance).count();
    }

    private void publishMachine(MachineKey key, Set<MachineKey> removable) {
        SimMachine machine = visibleMachine(key);
        if (machine != null) {
            sendIfChanged(machine.row());
            publishIntent(key, machine.uid(), machine.intent());
        } else if (removable.contains(key)) {
            sendTombstoneIfPublished(new RowKey(Table.INVENTORY, key));
            sendTombstoneIfPublished(new RowKey(Table.INTENTS, key));
        }
    }

    private void publishIntent(ObjectKey object, String uid, @Nullable UpgradeTarget option) {
        RowKey at = new RowKey(Table.INTENTS, object);
        if (option == null) {
            sendTombstoneIfPublished(at);
        } else if (!(published.get(at) instanceof UpgradeIntent before)
                || !before.target().equals(option)
                || !before.uid().equals(uid)) {
            sendIfChanged(new UpgradeIntent(object, uid, option, scheduler.instant())
                    .withExpectedVersion(object instanceof MachineKey ? SnapReleases.versionOfHash(option) : null));
        } else {
            sendIfChanged(before);
        }
    }

    private void sendIfChanged(TableRow row) {
        if (publishesAll || !Objects.equals(published.get(row.rowKey()), row)) {
            send(row);
        }
    }

    private void sendTombstoneIfPublished(RowKey at) {
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

    /** Commits. A fenced watcher restarts and continues from its topics. */
    private void commit() {
        if (producer != null && !producer.commit(null)) {
            process.crash("fenced", process.drawDuration(1000, 5000));
        } else {
            recordEnds();
        }
    }

    private void recordEnds() {
        ends.put(inventory, log.end(inventory));
        ends.put(intents, log.end(intents));
    }

    /**
     * Starts from the topics again if one has become shorter: this watcher is their only writer, so published rows were
     * lost.
     */
    private void recoverLostRows() {
        if (ends.entrySet().stream().anyMatch(end -> log.end(end.getKey()) < end.getValue())) {
            transcript.append(process.name(), () -> "has lost rows that it has published, and publishes them again");
            readPublished();
            process.later(process.drawDuration(50, 1000), this::publish);
        }
    }
}
