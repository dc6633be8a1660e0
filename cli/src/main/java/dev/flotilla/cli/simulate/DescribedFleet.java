package dev.flotilla.cli.simulate;

import dev.flotilla.cli.file.FleetDescription;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.rollout.VirtualCluster;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.MachineUpgradeDurations;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A described fleet with every one of its clusters, and durations for its machines. */
final class DescribedFleet {
    private static final String NAMESPACE = "fleet";
    private static final double HUNDRED = 100;

    private final VirtualFleet fleet;
    private final List<FleetDescription.Refresh> refreshes = new ArrayList<>();

    DescribedFleet(FleetDescription description) {
        VirtualFleet.Builder builder = new VirtualFleet.Builder();
        for (FleetDescription.Sites sites : description.sites()) {
            for (int s = 1; s <= sites.count(); s++) {
                SiteId site = new SiteId(numbered(sites.name(), sites.count(), s));
                for (FleetDescription.Clusters clusters : sites.clusters()) {
                    FleetDescription.Refresh refresh =
                            clusters.refresh() == null ? description.refresh() : clusters.refresh();
                    for (int c = 1; c <= clusters.count(); c++) {
                        String name = numbered(clusters.name(), clusters.count(), c);
                        builder.cluster(
                                new ClusterKey(site, NAMESPACE, name),
                                clusters.labels(),
                                clusters.controlPlanes(),
                                clusters.workers());
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

    /** Durations by a seed; the same in every JVM. */
    MachineUpgradeDurations times(long seed) {
        Random random = new Random(seed);
        long[] millis = new long[fleet.machines()];
        List<VirtualCluster> clusters = fleet.clusters();
        for (int i = 0; i < clusters.size(); i++) {
            FleetDescription.Refresh refresh = refreshes.get(i);
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
