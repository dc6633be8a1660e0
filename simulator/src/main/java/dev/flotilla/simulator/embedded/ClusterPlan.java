package dev.flotilla.simulator.embedded;

import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.node.Releases;
import java.util.Map;
import java.util.TreeMap;

/**
 * A workload cluster. Its machines are called `name-cp-0`, `name-w-0` and so on, and their nodes likewise.
 *
 * @param labels of the Cluster object
 * @param revision of the snap that its nodes begin with
 * @param temper of all nodes that are not named in {@code tempers}
 */
public record ClusterPlan(
        String name,
        int controlPlanes,
        int workers,
        Map<String, String> labels,
        int revision,
        NodeTemper temper,
        Map<String, NodeTemper> tempers) {
    private static final long FIVE_MINUTES = 300_000;
    private static final int SPREAD_PERCENT = 20;

    public ClusterPlan {
        labels = new TreeMap<>(labels);
        tempers = new TreeMap<>(tempers);
    }

    /** One whose nodes take about five minutes, and do what they are told. */
    public static ClusterPlan calm(String name, int controlPlanes, int workers) {
        return new ClusterPlan(
                name,
                controlPlanes,
                workers,
                new TreeMap<>(),
                Releases.OLDEST,
                NodeTemper.calm(FIVE_MINUTES, SPREAD_PERCENT),
                new TreeMap<>());
    }

    public ClusterPlan labelled(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new ClusterPlan(name, controlPlanes, workers, more, revision, temper, tempers);
    }

    /** With another temper for all that have none of their own. */
    public ClusterPlan with(NodeTemper all) {
        return new ClusterPlan(name, controlPlanes, workers, labels, revision, all, tempers);
    }

    /** With another temper for one machine. */
    public ClusterPlan with(String machine, NodeTemper its) {
        Map<String, NodeTemper> more = new TreeMap<>(tempers);
        more.put(machine, its);
        return new ClusterPlan(name, controlPlanes, workers, labels, revision, temper, more);
    }

    NodeTemper temperOf(String machine) {
        return tempers.getOrDefault(machine, temper);
    }
}
