package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.operator.MaximumSizeRows;
import dev.flotilla.simulator.operator.RandomCampaigns;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimTimeZones;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds a random fleet: clusters of one node and of many, healthy nodes and faulty ones. */
final class RandomFleetBuilder {
    private static final int MAX_MINORS_BEHIND = 3;
    private static final String POOL = "pool";
    private static final List<String> POOLS = List.of("a", "b", "b");

    /** The percentage of worlds in which most machines of one pool have the same fault. */
    private static final int WORLDS_WITH_A_BAD_POOL = 12;

    /** The percentage of worlds in which k8sd does not upgrade all machines. */
    private static final int WORLDS_WITH_PROVIDERS = 25;

    private static final int NODE_UPGRADE_CLUSTERS = 60;
    private static final int HANDS_OFF_CLUSTERS = 6;
    private static final int UNDETECTED_PERCENT = 25;

    private final SeededRandom chance;
    private final WorldConfig worldConfig;
    private final boolean usesMaximumSizes;
    private final boolean hasSeveralProviders;
    private final @Nullable String badPool;

    RandomFleetBuilder(WorldConfig worldConfig, SeededRandom chance) {
        this.worldConfig = worldConfig;
        this.usesMaximumSizes = WorldStressOptions.of(worldConfig).maximumSizes();
        this.chance = chance;
        this.hasSeveralProviders =
                !usesMaximumSizes && chance.split("several providers").percent(WORLDS_WITH_PROVIDERS);
        SeededRandom poolChance = chance.split("pool of bad machines");
        this.badPool = worldConfig.rates().crash() > 0 && poolChance.percent(WORLDS_WITH_A_BAD_POOL)
                ? poolChance.pick(POOLS)
                : null;
    }

    void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        List<SimSite> sites = new ArrayList<>();
        for (int i = 1; i <= worldConfig.sites(); i++) {
            sites.add(fleet.addSite("s" + i));
            if (chance.split("store of s" + i).percent(15)) {
                nodes.store("s" + i).publishNewRevisions();
            }
        }
        int left = worldConfig.machines();
        int number = 0;
        while (left > 0) {
            number++;
            SimSite site = number <= sites.size() ? sites.get(number - 1) : chance.pick(sites);
            SimCluster cluster = fleet.addCluster(
                    site,
                    usesMaximumSizes ? MaximumSizeRows.longClusterName("k" + number) : "k" + number,
                    clusterLabels());
            SeededRandom where = chance.split("zone of k" + number);
            cluster.locate(where.percent(70) ? where.pick(SimTimeZones.ALL.subList(0, where.between(2, 4))) : null);
            int controlPlanes = chance.percent(55) ? 1 : 3;
            int workers = chance.percent(15) ? 0 : chance.between(1, worldConfig.machines() > 100 ? 24 : 8);
            // The workers of some control planes are as many versions behind as is allowed.
            int ahead = chance.split("versions of k" + number).percent(10) ? MAX_MINORS_BEHIND : 0;
            left -= addMachines(
                    fleet, nodes, site, cluster, MachineRole.CONTROL_PLANE, Math.min(controlPlanes, left), ahead);
            left -= addMachines(fleet, nodes, site, cluster, MachineRole.WORKER, Math.min(workers, left), 0);
            drawProvider(fleet, cluster, chance.split("provider of k" + number));
        }
    }

    /** Lets something else than k8sd upgrade a cluster's machines. Its watcher may not find that out; the policy says it. */
    private void drawProvider(SimFleet fleet, SimCluster cluster, SeededRandom providerChance) {
        if (!hasSeveralProviders) {
            return;
        }
        int drawn = providerChance.below(100);
        UpgradeProvider provider = drawn < NODE_UPGRADE_CLUSTERS
                ? UpgradeProvider.NODE_UPGRADE
                : drawn < NODE_UPGRADE_CLUSTERS + HANDS_OFF_CLUSTERS ? UpgradeProvider.NONE : UpgradeProvider.K8SD;
        UpgradeProvider found = providerChance.percent(UNDETECTED_PERCENT) ? UpgradeProvider.K8SD : provider;
        for (SimMachine machine : List.copyOf(cluster.machines())) {
            fleet.setProvider(machine, provider, found);
        }
    }

    private int addMachines(
            SimFleet fleet,
            SimNodeFactory nodes,
            SimSite site,
            SimCluster cluster,
            MachineRole role,
            int count,
            int ahead) {
        for (int i = 1; i <= count; i++) {
            String name = cluster.key().name() + (role == MachineRole.CONTROL_PLANE ? "-cp" : "-w") + i;
            int revision = SnapReleases.OLDEST + 100 * (ahead + (chance.percent(8) ? 1 : 0));
            Labels labels = machineLabels();
            NodeFaultProfile faultProfile = randomFaultProfile();
            boolean bad = badPool != null && badPool.equals(labels.get(POOL)) && chance.percent(70);
            fleet.addMachine(
                    site,
                    cluster,
                    name,
                    role,
                    labels,
                    nodes.node(site.id() + "-" + name, revision, bad ? faultProfile.alwaysFailing() : faultProfile));
        }
        return count;
    }

    private NodeFaultProfile randomFaultProfile() {
        long middle = chance.between(40, 400) * 1000L;
        if (worldConfig.rates().crash() == 0) {
            return NodeFaultProfile.withoutFaults(middle, 30);
        }
        return new NodeFaultProfile(
                middle,
                chance.between(10, 80),
                chance.percent(3),
                chance.between(0, 12),
                chance.between(0, 6),
                chance.between(0, 3),
                chance.between(0, 8),
                chance.between(0, 5),
                chance.between(0, 8),
                chance.between(0, 4),
                chance.percent(30) ? 1 : 0);
    }

    private Labels clusterLabels() {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(RandomCampaigns.TIER, chance.pick(RandomCampaigns.TIERS));
        labels.put("region", chance.pick(List.of("north", "south")));
        return new Labels(labels);
    }

    private Labels machineLabels() {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(POOL, chance.pick(POOLS));
        return usesMaximumSizes ? MaximumSizeRows.manyLabels(new Labels(labels)) : new Labels(labels);
    }
}
