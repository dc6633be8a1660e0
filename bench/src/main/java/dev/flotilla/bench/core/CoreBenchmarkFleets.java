package dev.flotilla.bench.core;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.rollout.VirtualFleet;
import dev.flotilla.simulator.rollout.VirtualInventoryRows;
import dev.flotilla.simulator.rollout.VirtualRollout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Fleets for the core's benchmarks, and the campaign that upgrades them. */
final class CoreBenchmarkFleets {
    /** Workers of a cluster that may be unavailable at once. */
    static final CountOrPercent MAX_UNAVAILABLE = new CountOrPercent.Count(1);

    private static final CountOrPercent ALL = new CountOrPercent.Percent(100);
    private static final String POOL = "pool";
    private static final int POOLS = 4;
    private static final Duration ALWAYS = Duration.ofDays(1_000);
    private static final int TENANT_CLUSTER_SIZE = 3;
    private static final int CLUSTERS_PER_SITE = 100;
    private static final int CONTROL_PLANE = 3;
    private static final int CLUSTER_SIZE = 30;
    private static final int LARGEST_OF_MIXED = 100;
    private static final int LARGE_CLUSTER = 300;

    private final VirtualFleet.Builder fleet = new VirtualFleet.Builder();
    private int clusters;

    private CoreBenchmarkFleets() {}

    /** Makes clusters of 30, with at least the given number of machines. */
    static VirtualFleet uniform(int machines) {
        CoreBenchmarkFleets coreBenchmarkFleets = new CoreBenchmarkFleets();
        for (int left = machines; left > 0; left -= CLUSTER_SIZE) {
            coreBenchmarkFleets.addCluster(CLUSTER_SIZE);
        }
        return coreBenchmarkFleets.fleet.build();
    }

    /** Makes clusters of 1, 2, … 100, a number of times. */
    static VirtualFleet mixed(int rounds) {
        return mixed(new CoreBenchmarkFleets(), rounds).fleet.build();
    }

    /** Makes the mixed clusters, and one cluster of 300 at the end. */
    static VirtualFleet mixedWithLarge(int rounds) {
        CoreBenchmarkFleets coreBenchmarkFleets = mixed(new CoreBenchmarkFleets(), rounds);
        coreBenchmarkFleets.addCluster(LARGE_CLUSTER);
        return coreBenchmarkFleets.fleet.build();
    }

    private static CoreBenchmarkFleets mixed(CoreBenchmarkFleets coreBenchmarkFleets, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int size = 1; size <= LARGEST_OF_MIXED; size++) {
                coreBenchmarkFleets.addCluster(size);
            }
        }
        return coreBenchmarkFleets;
    }

    /** Makes clusters of 30 whose machine keys have about the given number of bytes. */
    static VirtualFleet named(int machines, int keyBytes) {
        CoreBenchmarkFleets coreBenchmarkFleets = new CoreBenchmarkFleets();
        String padding = "x".repeat(keyBytes - "site-123/default/c12345-w-12".length());
        for (int left = machines; left > 0; left -= CLUSTER_SIZE) {
            coreBenchmarkFleets.addCluster(CLUSTER_SIZE, padding);
        }
        return coreBenchmarkFleets.fleet.build();
    }

    private void addCluster(int size) {
        addCluster(size, "");
    }

    private void addCluster(int size, String padding) {
        SiteId site = new SiteId("site-" + clusters / CLUSTERS_PER_SITE);
        int controlPlanes = size > CONTROL_PLANE ? CONTROL_PLANE : 1;
        ClusterKey key = new ClusterKey(site, "default", padding + "c" + clusters++);
        fleet.cluster(key, Labels.NONE, controlPlanes, size - controlPlanes);
    }

    static UpgradePolicy policy(int cap) {
        return new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null);
    }

    /** Rows of machines with a pool label, by which the campaign forms failure cohorts. */
    static VirtualInventoryRows rows() {
        List<Labels> pools = new ArrayList<>();
        for (int pool = 0; pool < POOLS; pool++) {
            pools.add(poolLabel(pool));
        }
        return new VirtualInventoryRows(pools);
    }

    static Labels poolLabel(int pool) {
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put(POOL, "pool-" + pool);
        return new Labels(labels);
    }

    /** Campaign over all machines, to one channel in one wave. */
    static Campaign campaign() {
        return campaign("upgrade", MachineSelection.EVERYTHING);
    }

    /**
     * Campaign with every constraint set so wide that none blocks: caps, budget, windows, failure cohorts, start and
     * deadline.
     */
    static Campaign campaign(String name, MachineSelection selection) {
        TimeZoneName utc = new TimeZoneName("UTC");
        CampaignSpec spec = new CampaignSpecBuilder(new UpgradeTarget.Channel("1.35-classic/stable"), selection)
                .maxInFlight(ALL)
                .domainCaps(List.of(new TopologyDomainCap(POOL, ALL)))
                .failureBudget(
                        new FailureBudget(ALL, FailureBudget.DEFAULT_CONFIDENCE, FailureBudget.DEFAULT_MIN_SAMPLE))
                .windows(List.of(new MaintenanceWindow(List.of(), null, 0, 0, utc)))
                .cohortCircuitBreaker(new FailureCohortRule(
                        List.of(POOL), FailureCohortRule.DEFAULT_FAILURES, FailureCohortRule.DEFAULT_PERCENT))
                .startAt(VirtualRollout.START)
                .deadline(VirtualRollout.START.plus(ALWAYS))
                .priority(0)
                .maxInFlightPerCluster(ALL)
                .maxUnavailable(MAX_UNAVAILABLE)
                .strict(true)
                .build();
        return new Campaign(new CampaignName(name), Labels.NONE, spec);
    }

    /** Makes one site for each tenant: one tenant with many clusters and others with fewer, of three machines each. */
    static VirtualFleet tenants(int large, int others, int clusters) {
        CoreBenchmarkFleets coreBenchmarkFleets = new CoreBenchmarkFleets();
        for (int tenant = 0; tenant <= others; tenant++) {
            for (int i = 0; i < (tenant == 0 ? large : clusters); i++) {
                coreBenchmarkFleets.fleet.cluster(
                        new ClusterKey(tenant(tenant), "default", "c" + i), Labels.NONE, 0, TENANT_CLUSTER_SIZE);
            }
        }
        return coreBenchmarkFleets.fleet.build();
    }

    static SiteId tenant(int number) {
        return new SiteId("tenant-" + number);
    }
}
