package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Wave;
import java.util.List;

/** Small fleets for tests, and their only wave. */
final class SmallVirtualFleets {
    private SmallVirtualFleets() {}

    /** A fleet of one site with clusters of the given sizes. */
    static VirtualFleet fleet(int... sizes) {
        VirtualFleet.Builder builder = new VirtualFleet.Builder();
        for (int i = 0; i < sizes.length; i++) {
            int controlPlanes = sizes[i] > 3 ? 3 : 1;
            builder.cluster(cluster("a", i), Labels.NONE, controlPlanes, sizes[i] - controlPlanes);
        }
        return builder.build();
    }

    static ClusterKey cluster(String site, int number) {
        return new ClusterKey(new SiteId(site), "default", "c-" + number);
    }

    static List<Wave> oneWave() {
        return List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100));
    }
}
