package dev.flotilla.simulator.embedded;

import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import java.util.Map;
import java.util.TreeMap;

/**
 * A workload cluster. Its machines are called `name-cp-0`, `name-w-0` and so on, and their nodes likewise.
 *
 * @param labels of the Cluster object
 * @param revision of the snap that its nodes begin with
 * @param temper of all nodes that are not named in {@code tempers}
 * @param machineLabels of the Machine objects that have some of their own
 */
public record WorkloadClusterSpec(
        String name,
        int controlPlanes,
        int workers,
        Map<String, String> labels,
        int revision,
        NodeFaultProfile temper,
        Map<String, NodeFaultProfile> tempers,
        Map<String, Map<String, String>> machineLabels) {
    private static final long FIVE_MINUTES = 300_000;
    private static final int SPREAD_PERCENT = 20;

    public WorkloadClusterSpec {
        labels = new TreeMap<>(labels);
        tempers = new TreeMap<>(tempers);
        machineLabels = new TreeMap<>(machineLabels);
    }

    /** One whose nodes take about five minutes, and do what they are told. */
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
        return new WorkloadClusterSpec(name, controlPlanes, workers, more, revision, temper, tempers, machineLabels);
    }

    /** With another temper for all that have none of their own. */
    public WorkloadClusterSpec with(NodeFaultProfile all) {
        return new WorkloadClusterSpec(name, controlPlanes, workers, labels, revision, all, tempers, machineLabels);
    }

    /** With another temper for one machine. */
    public WorkloadClusterSpec with(String machine, NodeFaultProfile its) {
        Map<String, NodeFaultProfile> more = new TreeMap<>(tempers);
        more.put(machine, its);
        return new WorkloadClusterSpec(name, controlPlanes, workers, labels, revision, temper, more, machineLabels);
    }

    /** With a label for one machine. */
    public WorkloadClusterSpec with(String machine, String key, String value) {
        Map<String, Map<String, String>> more = new TreeMap<>(machineLabels);
        Map<String, String> its = new TreeMap<>(labelsOf(machine));
        its.put(key, value);
        more.put(machine, its);
        return new WorkloadClusterSpec(name, controlPlanes, workers, labels, revision, temper, tempers, more);
    }

    Map<String, String> labelsOf(String machine) {
        return machineLabels.getOrDefault(machine, Map.of());
    }

    NodeFaultProfile faultProfileOf(String machine) {
        return tempers.getOrDefault(machine, temper);
    }
}
