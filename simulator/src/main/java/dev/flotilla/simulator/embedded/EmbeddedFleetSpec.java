package dev.flotilla.simulator.embedded;

import java.util.ArrayList;
import java.util.List;

/**
 * What fleet there is to be.
 *
 * @param seed of all chance in it
 * @param speed so many times faster than said nodes do their work, and kubelets renew their leases, within reason
 */
public record EmbeddedFleetSpec(List<EmbeddedSiteSpec> sites, long seed, double speed) {
    public EmbeddedFleetSpec {
        sites = List.copyOf(sites);
    }

    /** A site: a management cluster and what it manages. */
    public record EmbeddedSiteSpec(String name, List<WorkloadClusterSpec> clusters) {
        public EmbeddedSiteSpec {
            clusters = List.copyOf(clusters);
        }
    }

    /** Sites that are all alike, of clusters that are all alike: `site-0`, `site-0-c-0` and so on. */
    public static EmbeddedFleetSpec evenSites(
            int sites, int clusters, int controlPlanes, int workers, long seed, double speed) {
        List<EmbeddedSiteSpec> all = new ArrayList<>();
        for (int i = 0; i < sites; i++) {
            List<WorkloadClusterSpec> within = new ArrayList<>();
            for (int j = 0; j < clusters; j++) {
                within.add(WorkloadClusterSpec.withoutFaults("site-" + i + "-c-" + j, controlPlanes, workers));
            }
            all.add(new EmbeddedSiteSpec("site-" + i, within));
        }
        return new EmbeddedFleetSpec(all, seed, speed);
    }
}
