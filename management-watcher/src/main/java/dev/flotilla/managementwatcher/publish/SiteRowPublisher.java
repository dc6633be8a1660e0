package dev.flotilla.managementwatcher.publish;

import dev.flotilla.core.watch.MassRemovalBreaker;
import dev.flotilla.managementwatcher.rows.IntentRowBuilder;
import dev.flotilla.managementwatcher.rows.InventoryRowBuilder;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Works out the records that bring the site's tables in line with the object cache. */
final class SiteRowPublisher {
    private final SiteObjectCache cache;
    private final PublishedRows publishedRows;
    private final SiteMode mode;
    private final MassRemovalBreaker massRemovalBreaker;
    private final Set<MachineKey> missing = new LinkedHashSet<>();
    private final Set<ObjectKey> waitingDeletions = new LinkedHashSet<>();

    SiteRowPublisher(
            SiteObjectCache cache, PublishedRows publishedRows, SiteMode mode, MassRemovalBreaker massRemovalBreaker) {
        this.cache = cache;
        this.publishedRows = publishedRows;
        this.mode = mode;
        this.massRemovalBreaker = massRemovalBreaker;
        publishedRows.removalTimes().forEach(massRemovalBreaker::recordRemoval);
    }

    /** Writes the changed rows of these objects and of missing machines. */
    void writeChangedRows(Collection<ObjectKey> touched, long now, Consumer<WireRecord> out) {
        publishedRows.drainUnreadableRows().forEach(out);
        Set<ObjectKey> deleted = new LinkedHashSet<>(waitingDeletions);
        waitingDeletions.clear();
        for (ObjectKey key : touched) {
            ObjectView present = cache.get(key);
            if (present != null) {
                deleted.remove(key);
                writeRows(present, now, out);
            } else if (key instanceof MachineKey machine) {
                boolean announced = cache.takeAnnouncedDeletion(machine) || publishedRows.isDeleting(machine);
                if (announced) {
                    missing.remove(machine);
                    removeRows(machine, out);
                } else if (publishedRows.hasRow(machine) || publishedRows.intent(machine) != null) {
                    missing.add(machine);
                }
            } else {
                deleted.add(key);
            }
        }
        missing.removeIf(key -> cache.machine(key) != null);
        for (MachineKey key : massRemovalBreaker.selectRemovable(missing, publishedRows.countMachines(), now)) {
            missing.remove(key);
            removeRows(key, out);
        }
        for (ObjectKey key : deleted) {
            if (canRemove(key)) {
                removeRows(key, out);
            } else {
                waitingDeletions.add(key);
            }
        }
    }

    /**
     * Whether the rows of an object that does not exist may be removed. They stay while machine removals are withheld,
     * because then the list is in doubt, and those of a Cluster stay while it has machines.
     */
    private boolean canRemove(ObjectKey key) {
        return massRemovalBreaker.countWithheld() == 0
                && cache.isAbsenceKnown(WatchedKind.kindOf(key))
                && !(key instanceof ClusterKey cluster && hasMachines(cluster));
    }

    private boolean hasMachines(ClusterKey cluster) {
        return publishedRows.hasRow(cluster)
                && cache.machines().stream()
                        .anyMatch(machine -> machine.cluster().equals(cluster.name())
                                && machine.key().namespace().equals(cluster.namespace()));
    }

    private void writeRows(ObjectView present, long now, Consumer<WireRecord> out) {
        switch (present) {
            case MachineView machine ->
                writeIfChanged(
                        InventoryRowBuilder.buildMachineRow(
                                machine, cache.ownerOf(machine), cache.tasks().taskOf(machine), mode),
                        out);
            case ClusterView cluster -> {
                // Without its version fields, campaigns would upgrade a cluster's machines beside Cluster API.
                if (cache.versionFields().wereRead() || publishedRows.hasRow(cluster.key())) {
                    writeIfChanged(buildClusterRow(cluster), out);
                }
            }
            case OwnerView owner -> {
                // Owners have no inventory rows.
            }
        }
        UpgradeIntent before = publishedRows.intent(present.key());
        if (before != null && before.task() != null && !cache.isAbsenceKnown(WatchedKind.UPGRADE_TASKS)) {
            // The permission to read UpgradeTasks is gone: what they requested is not withdrawn.
            return;
        }
        UpgradeIntent intent = IntentRowBuilder.buildRow(
                present,
                cache.upgradeAnnotation(present.key()),
                present instanceof MachineView machine ? cache.taskRequest(machine) : null,
                before,
                Instant.ofEpochMilli(now));
        writeIfChanged(intent == null ? new Tombstone(new RowKey(Table.INTENTS, present.key())) : intent, out);
    }

    private ClusterRow buildClusterRow(ClusterView cluster) {
        return InventoryRowBuilder.buildClusterRow(
                        cluster,
                        cache.countReplicas(cluster.key(), MachineRole.CONTROL_PLANE),
                        cache.countReplicas(cluster.key(), MachineRole.WORKER))
                .withVersionFields(cache.versionFields().of(cluster.key()));
    }

    private void removeRows(ObjectKey key, Consumer<WireRecord> out) {
        if (!(key instanceof OwnerKey)) {
            writeIfChanged(new Tombstone(new RowKey(Table.INVENTORY, key)), out);
        }
        writeIfChanged(new Tombstone(new RowKey(Table.INTENTS, key)), out);
    }

    private void writeIfChanged(RowChange rowChange, Consumer<WireRecord> out) {
        @Nullable WireRecord record = publishedRows.encodeIfChanged(rowChange);
        if (record != null) {
            out.accept(record);
        }
    }
}
