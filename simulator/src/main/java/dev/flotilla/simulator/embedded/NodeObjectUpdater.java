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
 * Keeps the objects that tell of a node true, each in the way of whoever writes it in a real cluster: its kubelet, its
 * k8sd, the controllers of its control plane, those of the management cluster. What people and workers write is left alone.
 */
final class NodeObjectUpdater {
    private final InstantSource clock;
    /** Nodes that nobody hears from. That one is back is told by nobody where it is not Ready at once. */
    private final Set<EmbeddedNode> unheard = new LinkedHashSet<>();

    NodeObjectUpdater(InstantSource clock) {
        this.clock = clock;
    }

    /** Something became different about a node. */
    void updateNodeObjects(EmbeddedNode node) {
        if (node.node().isReachable()) {
            unheard.remove(node);
        } else {
            unheard.add(node);
        }
        EmbeddedCluster cluster = node.cluster();
        ClusterObjectStore workload = cluster.workload().store();
        workload.change(BuiltInResources.NODES.named(node.name()), tree -> reported(node, tree));
        renewLease(node);
        if (node.role() == MachineRole.CONTROL_PLANE) {
            serve(cluster);
        }
        cluster.management()
                .store()
                .change(
                        BuiltInResources.MACHINES.named(cluster.key().namespace(), node.name()),
                        tree -> observed(node, tree));
    }

    /** Finds out who is heard from again. */
    void detectRecoveredNodes() {
        if (!unheard.isEmpty()) {
            for (EmbeddedNode node : List.copyOf(unheard)) {
                if (node.node().isReachable()) {
                    updateNodeObjects(node);
                }
            }
        }
    }

    /** The kubelet renews its lease, if it can. */
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

    /** The kubelet posts its status though nothing became different, if it can. */
    void postNodeStatus(EmbeddedNode node) {
        node.cluster()
                .workload()
                .store()
                .change(BuiltInResources.NODES.named(node.name()), tree -> reported(node, tree));
    }

    private JsonObjectReader reported(EmbeddedNode node, JsonObjectReader tree) {
        JsonObjectReader before = ImmutableJson.EMPTY;
        for (JsonValue condition : ImmutableJson.items(tree, "status", "conditions")) {
            before = condition instanceof JsonObjectReader jsonObjectReader
                            && ImmutableJson.textAt(jsonObjectReader, "type").equals("Ready")
                    ? jsonObjectReader
                    : before;
        }
        JsonObjectReader now = ImmutableJson.with(
                tree,
                ImmutableJson.list(WorkloadClusterObjects.ready(node, clock.instant(), before)),
                "status",
                "conditions");
        if (!node.node().isReachable()) {
            return now;
        }
        now = ImmutableJson.with(now, WorkloadClusterObjects.nodeInfo(node), "status", "nodeInfo");
        return ImmutableJson.with(now, node.k8sdVersion(), "metadata", "annotations", WorkloadClusterObjects.VERSION);
    }

    /** As it is seen now. Conditions that others have set stay. */
    private JsonObjectReader observed(EmbeddedNode node, JsonObjectReader tree) {
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

    /** Who serves the API of a cluster; where nobody does, it is away. */
    private static void serve(EmbeddedCluster cluster) {
        JsonObjectReader serving = WorkloadClusterObjects.serving(cluster);
        boolean anyone = !ImmutableJson.items(serving, "endpoints").isEmpty();
        if (anyone) {
            cluster.workload().store().put(BuiltInResources.ENDPOINT_SLICES.named("default", "kubernetes"), serving);
        }
        cluster.workload().reachability(anyone ? ApiReachability.ANSWERS : ApiReachability.RESETS);
    }
}
