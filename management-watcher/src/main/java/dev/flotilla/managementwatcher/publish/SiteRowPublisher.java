package dev.flotilla.managementwatcher.publish;

import dev.flotilla.managementwatcher.rows.IntentRowBuilder;
import dev.flotilla.managementwatcher.rows.InventoryRowBuilder;
import dev.flotilla.managementwatcher.rows.MassRemovalBreaker;
import dev.flotilla.managementwatcher.rows.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What has to be written so that the tables say what is seen. */
final class SiteRowPublisher {
    private final SiteObjectCache view;
    private final PublishedRows publishedRows;
    private final SiteMode mode;
    private final MassRemovalBreaker guard = new MassRemovalBreaker();
    private final Set<MachineKey> missing = new LinkedHashSet<>();
    private final Set<ObjectKey> waiting = new LinkedHashSet<>();

    SiteRowPublisher(SiteObjectCache view, PublishedRows publishedRows, SiteMode mode) {
        this.view = view;
        this.publishedRows = publishedRows;
        this.mode = mode;
        publishedRows.removalTimes().forEach(guard::recordRemoval);
    }

    /** How many machines are held back. */
    int countWithheldRemovals() {
        return guard.countWithheld();
    }

    /** Those held back are really gone. */
    void acceptRemovals() {
        guard.acceptWithheld();
    }

    /** Writes what is to be written about these objects, and about those that are missing. */
    void write(Collection<ObjectKey> touched, long now, Consumer<WireRecord> out) {
        publishedRows.removeUnreadable().forEach(out);
        Set<ObjectKey> gone = new LinkedHashSet<>(waiting);
        waiting.clear();
        for (ObjectKey key : touched) {
            ObjectView there = view.get(key);
            if (there != null) {
                gone.remove(key);
                there(there, now, out);
            } else if (key instanceof MachineKey machine) {
                boolean departed = view.removeDeparted(machine) || publishedRows.isDeleting(machine);
                if (departed) {
                    gone(machine, out);
                } else if (publishedRows.hasRow(machine) || publishedRows.intent(machine) != null) {
                    missing.add(machine);
                }
            } else {
                gone.add(key);
            }
        }
        missing.removeIf(key -> view.machine(key) != null);
        for (MachineKey key : guard.selectRemovable(missing, publishedRows.countMachines(), now)) {
            missing.remove(key);
            gone(key, out);
        }
        for (ObjectKey key : gone) {
            if (mayGo(key)) {
                gone(key, out);
            } else {
                waiting.add(key);
            }
        }
    }

    /** With machines held back the list is not believed, and a cluster that still has machines is none that is gone. */
    private boolean mayGo(ObjectKey key) {
        return guard.countWithheld() == 0
                && view.isAbsenceKnown(key)
                && !(key instanceof ClusterKey cluster && hasMachines(cluster));
    }

    private boolean hasMachines(ClusterKey cluster) {
        return publishedRows.hasRow(cluster)
                && view.machines().stream()
                        .anyMatch(machine -> machine.cluster().equals(cluster.name())
                                && machine.key().namespace().equals(cluster.namespace()));
    }

    private void there(ObjectView there, long now, Consumer<WireRecord> out) {
        switch (there) {
            case MachineView machine ->
                write(InventoryRowBuilder.buildMachineRow(machine, view.ownerOf(machine), mode), out);
            case ClusterView cluster ->
                write(
                        InventoryRowBuilder.buildClusterRow(
                                cluster,
                                view.replicas(cluster.key(), MachineRole.CONTROL_PLANE),
                                view.replicas(cluster.key(), MachineRole.WORKER)),
                        out);
            case OwnerView owner -> {
                // Owners have no rows of their own.
            }
        }
        OwnerView owner = there instanceof MachineView machine ? view.ownerOf(machine) : null;
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.readFrom(there, owner, mode);
        UpgradeIntent intent = IntentRowBuilder.buildRow(
                there, upgradeAnnotation, publishedRows.intent(there.key()), Instant.ofEpochMilli(now));
        write(intent == null ? new Tombstone(new RowKey(Table.INTENTS, there.key())) : intent, out);
    }

    private void gone(ObjectKey key, Consumer<WireRecord> out) {
        if (!(key instanceof OwnerKey)) {
            write(new Tombstone(new RowKey(Table.INVENTORY, key)), out);
        }
        write(new Tombstone(new RowKey(Table.INTENTS, key)), out);
    }

    private void write(RowChange rowChange, Consumer<WireRecord> out) {
        @Nullable WireRecord record = publishedRows.changedRecord(rowChange);
        if (record != null) {
            out.accept(record);
        }
    }
}
