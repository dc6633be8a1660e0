package dev.flotilla.simulator.embedded;

import java.util.ArrayList;
import java.util.List;

/**
 * What fleet there is to be.
 *
 * @param seed of all chance in it
 * @param speed so many times faster than said nodes do their work, and kubelets renew their leases, within reason
 */
public record FleetPlan(List<SitePlan> sites, long seed, double speed) {
    public FleetPlan {
        sites = List.copyOf(sites);
    }

    /** A site: a management cluster and what it manages. */
    public record SitePlan(String name, List<ClusterPlan> clusters) {
        public SitePlan {
            clusters = List.copyOf(clusters);
        }
    }

    /** Sites that are all alike, of clusters that are all alike: `site-0`, `site-0-c-0` and so on. */
    public static FleetPlan even(int sites, int clusters, int controlPlanes, int workers, long seed, double speed) {
        List<SitePlan> all = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            List<ClusterPlan> within = new ArrayList<>();
            for (int j = 0; j < clusters; j++) {
                within.add(ClusterPlan.calm("site-" + i + "-c-" + j, controlPlanes, workers));
            }
            all.add(new SitePlan("site-" + i, within));
        }
        return new FleetPlan(all, seed, speed);
    }
}
