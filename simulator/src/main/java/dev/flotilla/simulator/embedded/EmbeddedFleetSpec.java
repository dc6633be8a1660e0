package dev.flotilla.simulator.embedded;

import java.util.ArrayList;
import java.util.List;

/**
 * The specification of a fleet.
 *
 * @param seed of all random choices
 * @param speed how many times faster than usual nodes work and kubelets renew their leases, within limits
 */
public record EmbeddedFleetSpec(List<EmbeddedSiteSpec> sites, long seed, double speed) {
    public EmbeddedFleetSpec {
        sites = List.copyOf(sites);
    }

    /** A site: a management cluster and its workload clusters. */
    public record EmbeddedSiteSpec(String name, List<WorkloadClusterSpec> clusters) {
        public EmbeddedSiteSpec {
            clusters = List.copyOf(clusters);
        }
    }

    /** Identical sites with identical clusters: `site-0`, `site-0-c-0` and so on. */
    public static EmbeddedFleetSpec evenSites(
            int sites, int clusters, int controlPlanes, int workers, long seed, double speed) {
        List<EmbeddedSiteSpec> all = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            List<WorkloadClusterSpec> ofSite = new ArrayList<>();
            for (int j = 0; j < clusters; j++) {
                ofSite.add(WorkloadClusterSpec.withoutFaults("site-" + i + "-c-" + j, controlPlanes, workers));
            }
            all.add(new EmbeddedSiteSpec("site-" + i, ofSite));
        }
        return new EmbeddedFleetSpec(all, seed, speed);
    }
}
