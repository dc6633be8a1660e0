package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.attempt.RemovedMachineDecider;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import org.jspecify.annotations.Nullable;

/** What a watcher says of its site. */
final class InventoryIntake {
    private InventoryIntake() {}

    static Decision machine(DecisionBuilder draft, MachineRow row) {
        MachineView known = draft.state().machine(row.key());
        if (known != null && known.matchesRow(row)) {
            return Decision.NOTHING;
        }
        draft.write(row);
        MachineStatus status = known == null ? null : known.status();
        boolean another = (known != null && known.isPresent())
                ? !known.isUid(row.uid())
                : status != null && !status.uid().equals(row.uid());
        if (another) {
            SubjectParkingDecider.unpark(draft, row.key());
        }
        if (known != null && status != null && !status.uid().equals(row.uid())) {
            return status.attempt() == null || known.isOtherNode(row)
                    ? RemovedMachineDecider.decideReplaced(
                            draft, known, status, "another machine of the same name is here now")
                    : draft.build(
                            DecisionEvent.INVENTORY_CHANGED,
                            row.key(),
                            "another uid, on what may be the same node: the attempt goes on until its worker says how it ended");
        }
        String outOfBand = known == null ? null : OutOfBandRefreshDetector.describe(draft.state(), known, row);
        return outOfBand == null
                ? draft.build(DecisionEvent.INVENTORY_CHANGED, row.key(), "")
                : draft.build(DecisionEvent.OUT_OF_BAND_REFRESH, row.key(), outOfBand);
    }

    static Decision machineGone(DecisionBuilder draft, Tombstone tombstone, MachineKey key) {
        MachineView known = draft.state().machine(key);
        if (known == null) {
            return Decision.NOTHING;
        }
        MachineStatus status = known.status();
        boolean deleted = known.deleting() && status != null && known.isUid(status.uid());
        draft.write(tombstone);
        SubjectParkingDecider.unpark(draft, key);
        // Unless the machine itself was being deleted its row may be back at once, and its node may refresh: then the
        // status row outlives it. What deletes another machine of its name says nothing of its node.
        return status == null || !deleted
                ? draft.build(DecisionEvent.INVENTORY_CHANGED, key, "gone")
                : RemovedMachineDecider.decideDeleted(draft, known, status, "the machine is deleted");
    }

    static Decision cluster(DecisionBuilder draft, ClusterRow row) {
        ClusterState known = draft.state().cluster(row.key());
        return known != null && row.equals(known.row()) && !known.unreadable()
                ? Decision.NOTHING
                : draft.write(row).build(DecisionEvent.INVENTORY_CHANGED, row.key(), "");
    }

    static Decision heartbeat(DecisionBuilder draft, WatcherHeartbeat row) {
        SiteState site = draft.state().site(row.site());
        @Nullable WatcherHeartbeat known = site == null ? null : site.heartbeat();
        boolean same = known != null
                && known.managementUid().equals(row.managementUid())
                && known.withheldRemovals() == row.withheldRemovals()
                && known.mode() == row.mode();
        return same
                ? Decision.NOTHING
                : draft.write(row)
                        .build(
                                DecisionEvent.SITE_CHANGED,
                                row.site(),
                                row.withheldRemovals() == 0
                                        ? ""
                                        : row.withheldRemovals() + " machines vanished at once");
    }
}
