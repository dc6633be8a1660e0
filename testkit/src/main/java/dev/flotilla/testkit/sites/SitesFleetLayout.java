package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.simulator.embedded.EmbeddedFleetSpec;
import dev.flotilla.simulator.embedded.WorkloadClusterSpec;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The fleet of the simulated sites: equal parameters give equal fleets. */
public final class SitesFleetLayout {
    /** The cluster label that waves select by, and its values. */
    public static final String RING = "ring";

    public static final String CANARY = "canary";
    public static final String FIRST = "first";
    public static final String REST = "rest";

    /** The machine label for the hardware model. The refreshes of one model always fail. */
    public static final String MODEL = "model";

    private static final String GOOD_MODEL = "r660";
    private static final String BAD_MODEL = "r450";

    private static final String NAMESPACE = "fleet";

    /** Smaller clusters have a control plane of one machine, and so does one in three of the others. */
    private static final int MIN_SIZE_FOR_THREE = 5;

    private static final int SINGLE_CONTROL_PLANE_INTERVAL = 3;

    private static final int CANARY_PERCENT = 5;
    private static final int MIN_CANARIES = 3;

    /** The percentage of clusters in the first wave after the canaries. */
    private static final int FIRST_PERCENT = 60;

    private static final long REFRESH_MILLIS = 600_000;

    /** A failing refresh ends early. */
    private static final long ERROR_MILLIS = 150_000;

    /**
     * A standard deviation of about one seventh, as for nodes of one make, so that machines that start together do not
     * all end together.
     */
    private static final int SPREAD_PERCENT = 25;

    /** A cluster: its key, its ring, its number of machines, and what upgrades them. */
    public record PlannedCluster(
            ClusterKey key, String ring, int controlPlanes, int workers, UpgradeProvider provider) {
        public int size() {
            return controlPlanes + workers;
        }

        /** Its machines, the control plane first. */
        public List<MachineKey> machines() {
            return IntStream.range(0, size())
                    .mapToObj(place -> new MachineKey(key.site(), key.namespace(), machine(place)))
                    .toList();
        }

        public MachineRole role(int place) {
            return place < controlPlanes ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
        }

        String machine(int place) {
            return key.name() + (place < controlPlanes ? "-cp-" + place : "-w-" + (place - controlPlanes));
        }
    }

    private final SitesSpec spec;

    public SitesFleetLayout(SitesSpec spec) {
        this.spec = spec;
    }

    public List<SiteId> sites() {
        return IntStream.rangeClosed(1, spec.sites())
                .mapToObj(number -> new SiteId("site-" + number))
                .toList();
    }

    public List<PlannedCluster> clusters() {
        List<SiteId> sites = sites();
        List<PlannedCluster> clusters = new ArrayList<>();
        for (int i = 0; i < spec.clusters(); i++) {
            int size = spec.machines() / spec.clusters() + (i < spec.machines() % spec.clusters() ? 1 : 0);
            boolean plain =
                    size < MIN_SIZE_FOR_THREE || i % SINGLE_CONTROL_PLANE_INTERVAL == SINGLE_CONTROL_PLANE_INTERVAL - 1;
            int controlPlanes = plain ? 1 : 3;
            ClusterKey key = new ClusterKey(sites.get(i % sites.size()), NAMESPACE, "k" + (i + 1));
            clusters.add(new PlannedCluster(
                    key,
                    ring(i),
                    controlPlanes,
                    size - controlPlanes,
                    spec.providers().of(i, sites.size())));
        }
        return clusters;
    }

    void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        Map<MachineKey, NodeFaultProfile> faultProfiles = faultProfiles();
        sites().forEach(site -> fleet.addSite(site.name()));
        for (PlannedCluster plannedCluster : clusters()) {
            SimSite site = fleet.site(plannedCluster.key().site());
            SimCluster cluster =
                    fleet.addCluster(site, plannedCluster.key().name(), labels(RING, plannedCluster.ring()));
            for (int place = 0; place < plannedCluster.size(); place++) {
                MachineKey key = plannedCluster.machines().get(place);
                NodeFaultProfile faultProfile = Objects.requireNonNull(faultProfiles.get(key));
                fleet.addMachine(
                        site,
                        cluster,
                        key.name(),
                        plannedCluster.role(place),
                        labels(MODEL, model(faultProfile)),
                        nodes.node(site.id() + "-" + key.name(), faultProfile));
            }
        }
    }

    /** The specification of an embedded fleet. */
    public EmbeddedFleetSpec embeddedFleetSpec() {
        Map<MachineKey, NodeFaultProfile> faultProfiles = faultProfiles();
        Map<SiteId, List<WorkloadClusterSpec>> clusters = new LinkedHashMap<>();
        sites().forEach(site -> clusters.put(site, new ArrayList<>()));
        for (PlannedCluster plannedCluster : clusters()) {
            WorkloadClusterSpec clusterSpec = WorkloadClusterSpec.withoutFaults(
                            plannedCluster.key().name(), plannedCluster.controlPlanes(), plannedCluster.workers())
                    .labelled(RING, plannedCluster.ring());
            for (MachineKey machine : plannedCluster.machines()) {
                NodeFaultProfile faultProfile = Objects.requireNonNull(faultProfiles.get(machine));
                clusterSpec =
                        clusterSpec.with(machine.name(), faultProfile).with(machine.name(), MODEL, model(faultProfile));
            }
            if (plannedCluster.provider() == UpgradeProvider.NODE_UPGRADE) {
                clusterSpec = clusterSpec.withNodeUpgrades();
            }
            Objects.requireNonNull(clusters.get(plannedCluster.key().site())).add(clusterSpec);
        }
        List<EmbeddedFleetSpec.EmbeddedSiteSpec> sites = new ArrayList<>();
        clusters.forEach((site, specs) -> sites.add(new EmbeddedFleetSpec.EmbeddedSiteSpec(site.name(), specs)));
        return new EmbeddedFleetSpec(sites, spec.seed(), spec.speed());
    }

    private Map<MachineKey, NodeFaultProfile> faultProfiles() {
        List<Boolean> failing = failing();
        Map<MachineKey, NodeFaultProfile> faultProfiles = new LinkedHashMap<>();
        for (PlannedCluster plannedCluster : clusters()) {
            for (MachineKey machine : plannedCluster.machines()) {
                faultProfiles.put(
                        machine,
                        failing.get(faultProfiles.size())
                                ? NodeFaultProfile.withoutFaults(ERROR_MILLIS, SPREAD_PERCENT)
                                        .alwaysFailing()
                                : NodeFaultProfile.withoutFaults(REFRESH_MILLIS, SPREAD_PERCENT));
            }
        }
        return faultProfiles;
    }

    /** Exactly the requested share, rounded to the nearest machine, at places that the seed selects. */
    private List<Boolean> failing() {
        int count = (int) (((long) spec.machines() * spec.failPerMille() + 500) / 1000);
        List<Boolean> failing = new ArrayList<>();
        for (int i = 0; i < spec.machines(); i++) {
            failing.add(i < count);
        }
        new SeededRandom(spec.seed()).split("failing").shuffle(failing);
        return failing;
    }

    private String ring(int cluster) {
        int canaries = Math.min(
                Math.max(MIN_CANARIES, spec.clusters() * CANARY_PERCENT / 100), Math.max(1, spec.clusters() / 4));
        int first = canaries + (spec.clusters() - canaries) * FIRST_PERCENT / 100;
        return cluster < canaries ? CANARY : cluster < first ? FIRST : REST;
    }

    private static String model(NodeFaultProfile faultProfile) {
        return faultProfile.alwaysFails() ? BAD_MODEL : GOOD_MODEL;
    }

    private static Labels labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(key, value);
        return new Labels(labels);
    }
}
