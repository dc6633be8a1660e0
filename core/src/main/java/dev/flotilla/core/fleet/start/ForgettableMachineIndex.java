package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.RolloutTable;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The sites with a machine that has no inventory row and whose status row is no longer needed. */
public final class ForgettableMachineIndex {
    private final TreeMap<SiteId, ClusterState> bySite = new TreeMap<>();
    private final RolloutTable rollouts;
    private final IntPredicate isParked;

    /**
     * @param isParked whether a machine is parked
     */
    public ForgettableMachineIndex(RolloutTable rollouts, IntPredicate isParked) {
        this.rollouts = rollouts;
        this.isParked = isParked;
    }

    /** Updates the index after the machines without an inventory row of a site were counted. */
    void update(ClusterState placeholder, MachineView scratch) {
        if (find(placeholder, scratch)) {
            bySite.put(placeholder.site().id(), placeholder);
        } else {
            bySite.remove(placeholder.site().id());
        }
    }

    /** The first such machine; null for none. */
    public @Nullable MachineView first(MachineView scratch) {
        return !bySite.isEmpty() && find(bySite.firstEntry().getValue(), scratch) ? scratch : null;
    }

    /** Finds the first machine by key: the nameless cluster is not sorted. */
    private boolean find(ClusterState placeholder, MachineView scratch) {
        int first = -1;
        MachineKey least = null;
        for (int i = 0; i < placeholder.size(); i++) {
            scratch.moveTo(placeholder.member(i));
            MachineStatus status = scratch.status();
            boolean free =
                    status != null && status.attempt() == null && !isNeeded(status) && !isParked.test(scratch.row());
            if (free && (least == null || scratch.key().compareTo(least) < 0)) {
                first = scratch.row();
                least = scratch.key();
            }
        }
        scratch.moveTo(first);
        return first >= 0;
    }

    private boolean isNeeded(MachineStatus status) {
        if (status.isPreparing()) {
            return true;
        }
        for (RolloutEntry entry : status.entries()) {
            Rollout rollout = rollouts.of(entry.rolloutRef());
            if (rollout != null && !rollout.isOver()) {
                return true;
            }
        }
        return false;
    }
}
