package dev.flotilla.bench.core;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.rollout.VirtualFleet;
import java.util.List;

/** The fleets that are measured, and the one campaign that upgrades all of them. */
final class Fleets {
    /** Workers of a cluster that may be away at once. */
    static final Limit MAX_UNAVAILABLE = new Limit.Count(1);

    private static final int CLUSTERS_PER_SITE = 100;
    private static final int CONTROL_PLANE = 3;
    private static final int USUAL_CLUSTER = 30;
    private static final int LARGEST_OF_MIXED = 100;
    private static final int LARGE_CLUSTER = 300;

    private final VirtualFleet.Builder fleet = new VirtualFleet.Builder();
    private int clusters;

    private Fleets() {}

    /** Clusters of 30, at least so many machines in all. */
    static VirtualFleet uniform(int machines) {
        Fleets fleets = new Fleets();
        for (int left = machines; left > 0; left -= USUAL_CLUSTER) {
            fleets.cluster(USUAL_CLUSTER);
        }
        return fleets.fleet.build();
    }

    /** So many rounds of clusters of 1, 2, … 100. */
    static VirtualFleet mixed(int rounds) {
        return mixed(new Fleets(), rounds).fleet.build();
    }

    /** The same behind one cluster of 300. */
    static VirtualFleet mixedWithLarge(int rounds) {
        Fleets fleets = mixed(new Fleets(), rounds);
        fleets.cluster(LARGE_CLUSTER);
        return fleets.fleet.build();
    }

    private static Fleets mixed(Fleets fleets, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int size = 1; size <= LARGEST_OF_MIXED; size++) {
                fleets.cluster(size);
            }
        }
        return fleets;
    }

    /** Clusters of 30 whose machines' keys are so many bytes long, give or take a digit. */
    static VirtualFleet named(int machines, int keyBytes) {
        Fleets fleets = new Fleets();
        String padding = "x".repeat(keyBytes - "site-123/default/c12345-w-12".length());
        for (int left = machines; left > 0; left -= USUAL_CLUSTER) {
            fleets.cluster(USUAL_CLUSTER, padding);
        }
        return fleets.fleet.build();
    }

    private void cluster(int size) {
        cluster(size, "");
    }

    private void cluster(int size, String padding) {
        SiteId site = new SiteId("site-" + clusters / CLUSTERS_PER_SITE);
        int controlPlanes = size > CONTROL_PLANE ? CONTROL_PLANE : 1;
        ClusterKey key = new ClusterKey(site, "default", padding + "c" + clusters++);
        fleet.cluster(key, Labels.NONE, controlPlanes, size - controlPlanes);
    }

    static Policy policy(int cap) {
        return new Policy(Fleet.FLEET, new Limit.Count(cap), null, false, null, null, null, null);
    }

    /** Everything to one revision in one wave. */
    static Campaign campaign() {
        CampaignSpec spec = new CampaignSpec(
                new UpgradeOption.Revision("1001"),
                "1.35.1",
                Selection.EVERYTHING,
                List.of(new Wave("all", List.of(), Selector.ALL, false, 100)),
                null,
                null,
                null,
                null,
                null,
                0,
                MAX_UNAVAILABLE,
                true,
                RetryRule.DEFAULT);
        return new Campaign(new CampaignName("upgrade"), Labels.NONE, spec);
    }
}
