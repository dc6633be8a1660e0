package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
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

/** The fleet of the simulated sites: the same from the same numbers, whoever asks. */
public final class SitesFleetLayout {
    /** The label by which waves tell clusters apart, and its values. */
    public static final String RING = "ring";

    public static final String CANARY = "canary";
    public static final String FIRST = "first";
    public static final String REST = "rest";

    /** The label of machines that says what hardware they are, and what those of a bad cohort are, whose every refresh fails. */
    public static final String MODEL = "model";

    private static final String GOOD_MODEL = "r660";
    private static final String BAD_MODEL = "r450";

    private static final String NAMESPACE = "fleet";

    /** Smaller clusters have a control plane of one machine, and so has one in three of the others. */
    private static final int SMALLEST_WITH_THREE = 5;

    private static final int ONE_IN_SO_MANY_PLAIN = 3;

    private static final int CANARY_PERCENT = 5;
    private static final int CANARY_AT_LEAST = 3;

    /** Of the clusters that are no canaries. */
    private static final int FIRST_PERCENT = 60;

    private static final long REFRESH_MILLIS = 600_000;

    /** What ends in an error does so early. */
    private static final long ERROR_MILLIS = 150_000;

    /** A standard deviation of about a seventh, as nodes of one make have: those that start together do not all end together. */
    private static final int SPREAD_PERCENT = 25;

    /** A cluster: where it is, in which ring, and how many machines it has. */
    public record PlannedCluster(ClusterKey key, String ring, int controlPlanes, int workers) {
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
            boolean plain = size < SMALLEST_WITH_THREE || i % ONE_IN_SO_MANY_PLAIN == ONE_IN_SO_MANY_PLAIN - 1;
            int controlPlanes = plain ? 1 : 3;
            ClusterKey key = new ClusterKey(sites.get(i % sites.size()), NAMESPACE, "k" + (i + 1));
            clusters.add(new PlannedCluster(key, ring(i), controlPlanes, size - controlPlanes));
        }
        return clusters;
    }

    void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        Map<MachineKey, NodeFaultProfile> tempers = tempers();
        sites().forEach(site -> fleet.addSite(site.name()));
        for (PlannedCluster plannedCluster : clusters()) {
            SimSite site = fleet.site(plannedCluster.key().site());
            SimCluster cluster =
                    fleet.addCluster(site, plannedCluster.key().name(), labels(RING, plannedCluster.ring()));
            for (int place = 0; place < plannedCluster.size(); place++) {
                MachineKey key = plannedCluster.machines().get(place);
                NodeFaultProfile temper = Objects.requireNonNull(tempers.get(key));
                fleet.addMachine(
                        site,
                        cluster,
                        key.name(),
                        plannedCluster.role(place),
                        labels(MODEL, model(temper)),
                        nodes.node(site.id() + "-" + key.name(), temper));
            }
        }
    }

    /** What an embedded fleet is to be like. */
    public EmbeddedFleetSpec plan() {
        Map<MachineKey, NodeFaultProfile> tempers = tempers();
        Map<SiteId, List<WorkloadClusterSpec>> clusters = new LinkedHashMap<>();
        sites().forEach(site -> clusters.put(site, new ArrayList<>()));
        for (PlannedCluster plannedCluster : clusters()) {
            WorkloadClusterSpec plan = WorkloadClusterSpec.withoutFaults(
                            plannedCluster.key().name(), plannedCluster.controlPlanes(), plannedCluster.workers())
                    .labelled(RING, plannedCluster.ring());
            for (MachineKey machine : plannedCluster.machines()) {
                NodeFaultProfile temper = Objects.requireNonNull(tempers.get(machine));
                plan = plan.with(machine.name(), temper).with(machine.name(), MODEL, model(temper));
            }
            Objects.requireNonNull(clusters.get(plannedCluster.key().site())).add(plan);
        }
        List<EmbeddedFleetSpec.EmbeddedSiteSpec> sites = new ArrayList<>();
        clusters.forEach((site, plans) -> sites.add(new EmbeddedFleetSpec.EmbeddedSiteSpec(site.name(), plans)));
        return new EmbeddedFleetSpec(sites, spec.seed(), spec.speed());
    }

    private Map<MachineKey, NodeFaultProfile> tempers() {
        List<Boolean> failing = failing();
        Map<MachineKey, NodeFaultProfile> tempers = new LinkedHashMap<>();
        for (PlannedCluster plannedCluster : clusters()) {
            for (MachineKey machine : plannedCluster.machines()) {
                tempers.put(
                        machine,
                        failing.get(tempers.size())
                                ? NodeFaultProfile.withoutFaults(ERROR_MILLIS, SPREAD_PERCENT)
                                        .alwaysFailing()
                                : NodeFaultProfile.withoutFaults(REFRESH_MILLIS, SPREAD_PERCENT));
            }
        }
        return tempers;
    }

    /** Exactly the share that was asked for, rounded to the nearest machine, at places that the seed draws. */
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
                Math.max(CANARY_AT_LEAST, spec.clusters() * CANARY_PERCENT / 100), Math.max(1, spec.clusters() / 4));
        int first = canaries + (spec.clusters() - canaries) * FIRST_PERCENT / 100;
        return cluster < canaries ? CANARY : cluster < first ? FIRST : REST;
    }

    private static String model(NodeFaultProfile temper) {
        return temper.alwaysFails() ? BAD_MODEL : GOOD_MODEL;
    }

    private static Labels labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(key, value);
        return new Labels(labels);
    }
}
