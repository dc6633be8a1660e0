package dev.flotilla.core.intake;

import dev.flotilla.core.attempt.RemovedMachineDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import org.jspecify.annotations.Nullable;

/** Accepts the inventory rows of a watcher. */
final class InventoryIntake {
    private InventoryIntake() {}

    static Decision acceptMachine(DecisionBuilder draft, MachineRow row) {
        MachineView known = draft.state().machine(row.key());
        if (known != null && known.matchesRow(row)) {
            return Decision.NOTHING;
        }
        draft.write(row);
        MachineStatus status = known == null ? null : known.status();
        boolean isOtherMachine = (known != null && known.isPresent())
                ? !known.isUid(row.uid())
                : status != null && !status.uid().equals(row.uid());
        if (isOtherMachine) {
            SubjectParkingDecider.unpark(draft, row.key());
        }
        if (known != null && status != null && !status.uid().equals(row.uid())) {
            return status.attempt() == null || known.isOtherNode(row)
                    ? RemovedMachineDecider.decideReplaced(
                            draft, known, status, "another machine has the same name now")
                    : draft.build(
                            DecisionEvent.INVENTORY_CHANGED,
                            row.key(),
                            "another uid, possibly on the same node: the attempt continues until its worker reports how it ended");
        }
        String outOfBand =
                known == null ? null : OutOfBandRefreshDetector.describeOutOfBandRefresh(draft.state(), known, row);
        return outOfBand == null
                ? draft.build(DecisionEvent.INVENTORY_CHANGED, row.key(), "")
                : draft.build(DecisionEvent.OUT_OF_BAND_REFRESH, row.key(), outOfBand);
    }

    static Decision removeMachine(DecisionBuilder draft, Tombstone tombstone, MachineKey key) {
        MachineView known = draft.state().machine(key);
        if (known == null) {
            return Decision.NOTHING;
        }
        MachineStatus status = known.status();
        boolean deleted = known.deleting() && status != null && known.isUid(status.uid());
        draft.write(tombstone);
        SubjectParkingDecider.unpark(draft, key);
        // The row of a machine that was not being deleted may come back at once, and its node may still refresh: then
        // the status row is kept. The deletion of another machine with the same name says nothing about the node.
        return status == null || !deleted
                ? draft.build(DecisionEvent.INVENTORY_CHANGED, key, "deleted")
                : RemovedMachineDecider.decideDeleted(draft, known, status, "the machine was deleted");
    }

    static Decision acceptCluster(DecisionBuilder draft, ClusterRow row) {
        ClusterState known = draft.state().cluster(row.key());
        return known != null && row.equals(known.row()) && !known.unreadable()
                ? Decision.NOTHING
                : draft.write(row).build(DecisionEvent.INVENTORY_CHANGED, row.key(), "");
    }

    static Decision acceptHeartbeat(DecisionBuilder draft, WatcherHeartbeat row) {
        SiteState site = draft.state().site(row.site());
        @Nullable WatcherHeartbeat known = site == null ? null : site.heartbeat();
        boolean same = known != null
                && known.managementUid().equals(row.managementUid())
                && known.withheldRemovals() == row.withheldRemovals()
                && known.mode() == row.mode();
        return same
                ? Decision.NOTHING
                : draft.write(row).build(DecisionEvent.SITE_CHANGED, row.site(), describeChange(known, row));
    }

    private static String describeChange(@Nullable WatcherHeartbeat known, WatcherHeartbeat row) {
        if (row.withheldRemovals() > 0) {
            return row.withheldRemovals() + " machines vanished at once";
        }
        if (known == null) {
            return "first heartbeat";
        }
        if (!known.managementUid().equals(row.managementUid())) {
            return "another management cluster";
        }
        if (known.withheldRemovals() > 0) {
            return "no removals are withheld any more";
        }
        return row.mode() == null ? "no mode" : "mode " + row.mode().label();
    }
}
