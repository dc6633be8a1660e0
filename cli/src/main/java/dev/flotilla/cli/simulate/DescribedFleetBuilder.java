package dev.flotilla.cli.simulate;

import dev.flotilla.cli.file.FleetDescription;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import dev.flotilla.simulator.rollout.VirtualCluster;
import dev.flotilla.simulator.rollout.VirtualFleet;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Builds a virtual fleet with all its clusters from a description, and durations for its machines. */
final class DescribedFleetBuilder {
    private static final String NAMESPACE = "fleet";
    private static final double HUNDRED = 100;

    private final VirtualFleet fleet;
    private final List<FleetDescription.RefreshDuration> refreshes = new ArrayList<>();

    DescribedFleetBuilder(FleetDescription description) {
        VirtualFleet.Builder builder = new VirtualFleet.Builder();
        for (FleetDescription.SiteGroup siteGroup : description.sites()) {
            for (int s = 1; s <= siteGroup.count(); s++) {
                SiteId site = new SiteId(numbered(siteGroup.name(), siteGroup.count(), s));
                for (FleetDescription.ClusterGroup clusterGroup : siteGroup.clusters()) {
                    FleetDescription.RefreshDuration refresh =
                            clusterGroup.refresh() == null ? description.refresh() : clusterGroup.refresh();
                    for (int c = 1; c <= clusterGroup.count(); c++) {
                        String name = numbered(clusterGroup.name(), clusterGroup.count(), c);
                        builder.cluster(
                                new ClusterKey(site, NAMESPACE, name),
                                clusterGroup.labels(),
                                clusterGroup.controlPlanes(),
                                clusterGroup.workers());
                        refreshes.add(refresh);
                    }
                }
            }
        }
        this.fleet = builder.build();
    }

    private static String numbered(String name, int count, int number) {
        return count == 1 ? name : name + "-" + number;
    }

    VirtualFleet fleet() {
        return fleet;
    }

    /** Draws durations from a seed; equal in every JVM. */
    MachineUpgradeDurations times(long seed) {
        Random random = new Random(seed);
        long[] millis = new long[fleet.machines()];
        List<VirtualCluster> clusters = fleet.clusters();
        for (int i = 0; i < clusters.size(); i++) {
            FleetDescription.RefreshDuration refresh = refreshes.get(i);
            double sigma = refresh.spreadPercent() / HUNDRED;
            VirtualCluster cluster = clusters.get(i);
            for (int place = 0; place < cluster.size(); place++) {
                double factor = StrictMath.exp(sigma * random.nextGaussian());
                millis[cluster.first() + place] =
                        Math.max(1, (long) (refresh.median().toMillis() * factor));
            }
        }
        return MachineUpgradeDurations.of(millis);
    }
}
