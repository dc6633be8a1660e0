package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.kubernetes.Reach;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the objects that tell of a node true, each in the way of whoever writes it in a real cluster: its kubelet, its
 * k8sd, the controllers of its control plane, those of the management cluster. What people and workers write is left alone.
 */
final class ObjectKeeper {
    private final InstantSource clock;
    /** Nodes that nobody hears from. That one is back is told by nobody where it is not Ready at once. */
    private final Set<EmbeddedNode> unheard = new LinkedHashSet<>();

    ObjectKeeper(InstantSource clock) {
        this.clock = clock;
    }

    /** Something became different about a node. */
    void changed(EmbeddedNode node) {
        if (node.node().reachable()) {
            unheard.remove(node);
        } else {
            unheard.add(node);
        }
        EmbeddedCluster cluster = node.cluster();
        Store workload = cluster.workload().store();
        workload.change(Resources.NODES.named(node.name()), tree -> reported(node, tree));
        renew(node);
        if (node.role() == MachineRole.CONTROL_PLANE) {
            serve(cluster);
        }
        cluster.management()
                .store()
                .change(Resources.MACHINES.named(cluster.key().namespace(), node.name()), tree -> observed(node, tree));
    }

    /** Finds out who is heard from again. */
    void listen() {
        if (!unheard.isEmpty()) {
            for (EmbeddedNode node : List.copyOf(unheard)) {
                if (node.node().reachable()) {
                    changed(node);
                }
            }
        }
    }

    /** The kubelet renews its lease, if it can. */
    void renew(EmbeddedNode node) {
        if (node.node().reachable()) {
            node.cluster()
                    .workload()
                    .store()
                    .put(
                            Resources.LEASES.named(WorkloadObjects.LEASES, node.name()),
                            WorkloadObjects.lease(node, clock.instant()));
        }
    }

    /** The kubelet posts its status though nothing became different, if it can. */
    void post(EmbeddedNode node) {
        node.cluster().workload().store().change(Resources.NODES.named(node.name()), tree -> reported(node, tree));
    }

    private JsonObjectReader reported(EmbeddedNode node, JsonObjectReader tree) {
        JsonObjectReader before = Json.EMPTY;
        for (JsonValue condition : Json.items(tree, "status", "conditions")) {
            before = condition instanceof JsonObjectReader jsonObjectReader && Json.text(jsonObjectReader, "type").equals("Ready") ? jsonObjectReader : before;
        }
        JsonObjectReader now = Json.with(
                tree, Json.list(WorkloadObjects.ready(node, clock.instant(), before)), "status", "conditions");
        if (!node.node().reachable()) {
            return now;
        }
        now = Json.with(now, WorkloadObjects.nodeInfo(node), "status", "nodeInfo");
        return Json.with(now, node.k8sdVersion(), "metadata", "annotations", WorkloadObjects.VERSION);
    }

    /** As it is seen now. Conditions that others have set stay. */
    private JsonObjectReader observed(EmbeddedNode node, JsonObjectReader tree) {
        JsonObjectReader status = ManagementObjects.status(node, clock.instant());
        List<JsonValue> conditions = new ArrayList<>(Json.items(status, "conditions"));
        Set<String> own = new LinkedHashSet<>();
        conditions.forEach(condition -> own.add(Json.text(condition, "type")));
        for (JsonValue condition : Json.items(tree, "status", "conditions")) {
            if (!own.contains(Json.text(condition, "type"))) {
                conditions.add(condition);
            }
        }
        return Json.with(tree, Json.with(status, Json.list(conditions), "conditions"), "status");
    }

    /** Who serves the API of a cluster; where nobody does, it is away. */
    private static void serve(EmbeddedCluster cluster) {
        JsonObjectReader serving = WorkloadObjects.serving(cluster);
        boolean anyone = !Json.items(serving, "endpoints").isEmpty();
        if (anyone) {
            cluster.workload().store().put(Resources.ENDPOINT_SLICES.named("default", "kubernetes"), serving);
        }
        cluster.workload().reach(anyone ? Reach.ANSWERS : Reach.RESETS);
    }
}
