package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.ApiReachability;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ClusterObjectStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the objects of a node up to date, each in the way of its real writer: the kubelet, k8sd, and the controllers of
 * the control plane and of the management cluster. It leaves alone what operators and workers write.
 */
final class NodeObjectUpdater {
    private final InstantSource clock;
    /** Unreachable nodes. A node that is reachable again but not Ready yet triggers no event. */
    private final Set<EmbeddedNode> unreachableNodes = new LinkedHashSet<>();

    NodeObjectUpdater(InstantSource clock) {
        this.clock = clock;
    }

    /** Updates the objects after a node has changed. */
    void updateNodeObjects(EmbeddedNode node) {
        if (node.node().isReachable()) {
            unreachableNodes.remove(node);
        } else {
            unreachableNodes.add(node);
        }
        EmbeddedCluster cluster = node.cluster();
        ClusterObjectStore workload = cluster.workload().store();
        workload.change(BuiltInResources.NODES.named(node.name()), tree -> withReportedStatus(node, tree));
        renewLease(node);
        if (node.role() == MachineRole.CONTROL_PLANE) {
            publishApiEndpoints(cluster);
        }
        cluster.management()
                .store()
                .change(
                        BuiltInResources.MACHINES.named(cluster.key().namespace(), node.name()),
                        tree -> withObservedStatus(node, tree));
    }

    /** Updates nodes that have become reachable again. */
    void detectRecoveredNodes() {
        if (!unreachableNodes.isEmpty()) {
            for (EmbeddedNode node : List.copyOf(unreachableNodes)) {
                if (node.node().isReachable()) {
                    updateNodeObjects(node);
                }
            }
        }
    }

    /** Renews the kubelet's lease if the node is reachable. */
    void renewLease(EmbeddedNode node) {
        if (node.node().isReachable()) {
            node.cluster()
                    .workload()
                    .store()
                    .put(
                            BuiltInResources.LEASES.named(WorkloadClusterObjects.LEASES, node.name()),
                            WorkloadClusterObjects.lease(node, clock.instant()));
        }
    }

    /** Posts the node's status, although it has not changed, if the node is reachable. */
    void postNodeStatus(EmbeddedNode node) {
        node.cluster()
                .workload()
                .store()
                .change(BuiltInResources.NODES.named(node.name()), tree -> withReportedStatus(node, tree));
    }

    private JsonObjectReader withReportedStatus(EmbeddedNode node, JsonObjectReader tree) {
        JsonObjectReader before = ImmutableJson.EMPTY;
        for (JsonValue condition : ImmutableJson.items(tree, "status", "conditions")) {
            before = condition instanceof JsonObjectReader jsonObjectReader
                            && ImmutableJson.textAt(jsonObjectReader, "type").equals("Ready")
                    ? jsonObjectReader
                    : before;
        }
        JsonObjectReader now = ImmutableJson.with(
                tree,
                ImmutableJson.list(WorkloadClusterObjects.readyCondition(node, clock.instant(), before)),
                "status",
                "conditions");
        if (!node.node().isReachable()) {
            return now;
        }
        now = ImmutableJson.with(now, WorkloadClusterObjects.nodeInfo(node), "status", "nodeInfo");
        return ImmutableJson.with(
                now, node.k8sdVersionAnnotation(), "metadata", "annotations", WorkloadClusterObjects.VERSION);
    }

    /** The Machine with the status that is observed now. Conditions of other writers remain. */
    private JsonObjectReader withObservedStatus(EmbeddedNode node, JsonObjectReader tree) {
        JsonObjectReader status = ManagementClusterObjects.status(node, clock.instant());
        List<JsonValue> conditions = new ArrayList<>(ImmutableJson.items(status, "conditions"));
        Set<String> own = new LinkedHashSet<>();
        conditions.forEach(condition -> own.add(ImmutableJson.textAt(condition, "type")));
        for (JsonValue condition : ImmutableJson.items(tree, "status", "conditions")) {
            if (!own.contains(ImmutableJson.textAt(condition, "type"))) {
                conditions.add(condition);
            }
        }
        return ImmutableJson.with(
                tree, ImmutableJson.with(status, ImmutableJson.list(conditions), "conditions"), "status");
    }

    /** Publishes which nodes serve the API of a cluster; without any, the API is unreachable. */
    private static void publishApiEndpoints(EmbeddedCluster cluster) {
        JsonObjectReader serving = WorkloadClusterObjects.apiEndpoints(cluster);
        boolean anyone = !ImmutableJson.items(serving, "endpoints").isEmpty();
        if (anyone) {
            cluster.workload().store().put(BuiltInResources.ENDPOINT_SLICES.named("default", "kubernetes"), serving);
        }
        cluster.workload().reachability(anyone ? ApiReachability.ANSWERS : ApiReachability.RESETS);
    }
}
