package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import java.util.Map;
import java.util.TreeMap;

/**
 * The specification of a workload cluster. Its machines and nodes are named `name-cp-0`, `name-w-0` and so on.
 *
 * @param labels of the Cluster object
 * @param revision of the snap that its nodes start with
 * @param faultProfile of all nodes that {@code tempers} does not name
 * @param machineLabels labels of individual Machine objects
 */
public record WorkloadClusterSpec(
        String name,
        int controlPlanes,
        int workers,
        Map<String, String> labels,
        int revision,
        NodeFaultProfile faultProfile,
        Map<String, NodeFaultProfile> faultProfilesByMachine,
        Map<String, Map<String, String>> machineLabels) {
    private static final long FIVE_MINUTES = 300_000;
    private static final int SPREAD_PERCENT = 20;

    public WorkloadClusterSpec {
        labels = new TreeMap<>(labels);
        faultProfilesByMachine = new TreeMap<>(faultProfilesByMachine);
        machineLabels = new TreeMap<>(machineLabels);
    }

    /** A cluster of nodes without faults that take about five minutes. */
    public static WorkloadClusterSpec withoutFaults(String name, int controlPlanes, int workers) {
        return new WorkloadClusterSpec(
                name,
                controlPlanes,
                workers,
                new TreeMap<>(),
                SnapReleases.OLDEST,
                NodeFaultProfile.withoutFaults(FIVE_MINUTES, SPREAD_PERCENT),
                new TreeMap<>(),
                new TreeMap<>());
    }

    public WorkloadClusterSpec labelled(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new WorkloadClusterSpec(
                name, controlPlanes, workers, more, revision, faultProfile, faultProfilesByMachine, machineLabels);
    }

    /** The same cluster with another fault profile for all nodes without one of their own. */
    public WorkloadClusterSpec with(NodeFaultProfile all) {
        return new WorkloadClusterSpec(
                name, controlPlanes, workers, labels, revision, all, faultProfilesByMachine, machineLabels);
    }

    /** The same cluster with another fault profile for one machine. */
    public WorkloadClusterSpec with(String machine, NodeFaultProfile ofMachine) {
        Map<String, NodeFaultProfile> more = new TreeMap<>(faultProfilesByMachine);
        more.put(machine, ofMachine);
        return new WorkloadClusterSpec(
                name, controlPlanes, workers, labels, revision, faultProfile, more, machineLabels);
    }

    /** The same cluster with a label on one machine. */
    public WorkloadClusterSpec with(String machine, String key, String value) {
        Map<String, Map<String, String>> more = new TreeMap<>(machineLabels);
        Map<String, String> ofMachine = new TreeMap<>(labelsOf(machine));
        ofMachine.put(key, value);
        more.put(machine, ofMachine);
        return new WorkloadClusterSpec(
                name, controlPlanes, workers, labels, revision, faultProfile, faultProfilesByMachine, more);
    }

    /** The same cluster with machines that NodeUpgrades upgrade, as their labels say. */
    public WorkloadClusterSpec withNodeUpgrades() {
        WorkloadClusterSpec spec = this;
        for (int i = 0; i < controlPlanes + workers; i++) {
            String machine = name + (i < controlPlanes ? "-cp-" + i : "-w-" + (i - controlPlanes));
            spec = spec.with(machine, LabelKeys.PROVIDER, UpgradeProvider.NODE_UPGRADE.label());
        }
        return spec;
    }

    /** Whether NodeUpgrades upgrade any of its machines. */
    boolean hasNodeUpgrades() {
        return machineLabels.values().stream()
                .anyMatch(labels -> UpgradeProvider.NODE_UPGRADE.label().equals(labels.get(LabelKeys.PROVIDER)));
    }

    Map<String, String> labelsOf(String machine) {
        return machineLabels.getOrDefault(machine, Map.of());
    }

    NodeFaultProfile faultProfileOf(String machine) {
        return faultProfilesByMachine.getOrDefault(machine, faultProfile);
    }
}
