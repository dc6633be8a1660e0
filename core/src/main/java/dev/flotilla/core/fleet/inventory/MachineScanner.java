package dev.flotilla.core.fleet.inventory;

import java.util.ArrayList;
import java.util.List;

/** Scans the machines in the order of clusters and names, in limited pages. */
public final class MachineScanner {
    private final FleetInventory inventory;
    private final List<MachineView> found = new ArrayList<>();
    private int left;

    private MachineScanner(FleetInventory inventory, int most) {
        this.inventory = inventory;
        this.left = most;
    }

    /**
     * The machines after a cursor.
     *
     * @param most maximum number of clusters and machines together; clusters count, because there may be any number
     *     of empty ones
     */
    public static MachinePage scan(FleetInventory inventory, MachineCursor after, int most) {
        if (most < 2) {
            throw new IllegalArgumentException("a walk of " + most + " steps may never get past an empty cluster");
        }
        return new MachineScanner(inventory, most).from(after);
    }

    private MachinePage from(MachineCursor after) {
        MachineCursor reached = after;
        for (ClusterState cluster :
                inventory.clusters().tailMap(after.cluster(), true).values()) {
            if (left-- == 0) {
                return new MachinePage(found, reached);
            }
            int first = cluster.key().equals(after.cluster()) ? firstAfter(cluster, after.machine()) : 0;
            int end = Math.min(cluster.size(), first + left);
            for (int i = first; i < end; i++) {
                found.add(new MachineView(inventory.machines(), cluster.member(i)));
            }
            left -= end - first;
            reached = new MachineCursor(cluster.key(), end == 0 ? "" : name(cluster, end - 1));
            if (end < cluster.size()) {
                return new MachinePage(found, reached);
            }
        }
        return new MachinePage(found, null);
    }

    private int firstAfter(ClusterState cluster, String machine) {
        int low = 0;
        int high = cluster.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (name(cluster, middle).compareTo(machine) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private String name(ClusterState cluster, int member) {
        return inventory.machines().key(cluster.member(member)).name();
    }
}
