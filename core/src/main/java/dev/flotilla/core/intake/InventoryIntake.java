package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.attempt.Departure;
import dev.flotilla.core.fleet.Cluster;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import org.jspecify.annotations.Nullable;

/** What a watcher says of its site. */
final class InventoryIntake {
    private InventoryIntake() {}

    static Decision machine(Draft draft, MachineRow row) {
        Machine known = draft.state().machine(row.key());
        if (known != null && known.shows(row)) {
            return Decision.NOTHING;
        }
        draft.write(row);
        MachineStatus status = known == null ? null : known.status();
        boolean another = (known != null && known.isPresent())
                ? !known.isUid(row.uid())
                : status != null && !status.uid().equals(row.uid());
        if (another) {
            Parking.unpark(draft, row.key());
        }
        if (known != null && status != null && !status.uid().equals(row.uid())) {
            return status.attempt() == null || known.isOtherNode(row)
                    ? Departure.replaced(draft, known, status, "another machine of the same name is here now")
                    : draft.decide(
                            Event.INVENTORY_CHANGED,
                            row.key(),
                            "another uid, on what may be the same node: the attempt goes on until its worker says how it ended");
        }
        String outOfBand = known == null ? null : OutOfBand.says(draft.state(), known, row);
        return outOfBand == null
                ? draft.decide(Event.INVENTORY_CHANGED, row.key(), "")
                : draft.decide(Event.OUT_OF_BAND, row.key(), outOfBand);
    }

    static Decision machineGone(Draft draft, Tombstone tombstone, MachineKey key) {
        Machine known = draft.state().machine(key);
        if (known == null) {
            return Decision.NOTHING;
        }
        MachineStatus status = known.status();
        boolean deleted = known.deleting() && status != null && known.isUid(status.uid());
        draft.write(tombstone);
        Parking.unpark(draft, key);
        // Unless the machine itself was being deleted its row may be back at once, and its node may refresh: then the
        // status row outlives it. What deletes another machine of its name says nothing of its node.
        return status == null || !deleted
                ? draft.decide(Event.INVENTORY_CHANGED, key, "gone")
                : Departure.deleted(draft, known, status, "the machine is deleted");
    }

    static Decision cluster(Draft draft, ClusterRow row) {
        Cluster known = draft.state().cluster(row.key());
        return known != null && row.equals(known.row()) && !known.unreadable()
                ? Decision.NOTHING
                : draft.write(row).decide(Event.INVENTORY_CHANGED, row.key(), "");
    }

    static Decision heartbeat(Draft draft, WatcherHeartbeat row) {
        Site site = draft.state().site(row.site());
        @Nullable WatcherHeartbeat known = site == null ? null : site.heartbeat();
        boolean same = known != null
                && known.managementUid().equals(row.managementUid())
                && known.withheldRemovals() == row.withheldRemovals()
                && known.mode() == row.mode();
        return same
                ? Decision.NOTHING
                : draft.write(row)
                        .decide(
                                Event.SITE_CHANGED,
                                row.site(),
                                row.withheldRemovals() == 0 ? "" : row.withheldRemovals() + " machines vanished at once");
    }
}
