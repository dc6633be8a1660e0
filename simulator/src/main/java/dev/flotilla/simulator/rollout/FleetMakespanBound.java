package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.row.CountOrPercent;

/**
 * A duration that no order of starts can beat: all work fills the cap without a gap; the longest cluster upgrades its
 * control plane one by one, then its workers, with as many in parallel as may be unavailable; and the longest single
 * machine.
 */
public final class FleetMakespanBound {
    private FleetMakespanBound() {}

    /** The bound for upgrading every machine once, in milliseconds. */
    public static long millis(
            VirtualFleet fleet, MachineUpgradeDurations times, int cap, CountOrPercent maxUnavailable) {
        long work = 0;
        long longest = 0;
        for (VirtualCluster cluster : fleet.clusters()) {
            longest = Math.max(longest, clusterMillis(cluster, times, cap, maxUnavailable));
            for (int place = 0; place < cluster.size(); place++) {
                work += times.millis(cluster.first() + place);
            }
        }
        return Math.max(longest, divideRoundingUp(work, cap));
    }

    private static long clusterMillis(
            VirtualCluster cluster, MachineUpgradeDurations times, int cap, CountOrPercent maxUnavailable) {
        long controlPlane = 0;
        long workers = 0;
        long longestWorker = 0;
        for (int place = 0; place < cluster.size(); place++) {
            long millis = times.millis(cluster.first() + place);
            if (place < cluster.controlPlanes()) {
                controlPlane += millis;
            } else {
                workers += millis;
                longestWorker = Math.max(longestWorker, millis);
            }
        }
        int width = Math.min(cap, maxUnavailable.of(cluster.workers()));
        return controlPlane + Math.max(longestWorker, divideRoundingUp(workers, width));
    }

    private static long divideRoundingUp(long work, int width) {
        return (work + width - 1) / width;
    }
}
