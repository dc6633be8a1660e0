package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.K8sd;
import dev.flotilla.simulator.kubernetes.json.Json;
import dev.flotilla.simulator.kubernetes.store.Resources;
import dev.flotilla.simulator.kubernetes.store.Stored;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.node.SimNode;
import org.jspecify.annotations.Nullable;

/**
 * A machine with its node. What is to go wrong with it is told to {@code node} and {@code k8sd}, on the fleet's event loop.
 *
 * @param address its InternalIP, and the Host that its k8sd is asked by
 * @param token that its k8sd wants to see
 */
public record EmbeddedNode(
        MachineKey machine, MachineRole role, SimNode node, K8sd k8sd, String address, String token, EmbeddedCluster cluster) {

    /** The uid of its Machine. */
    public String uid() {
        Stored machineObject = cluster.management()
                .store()
                .get(Resources.MACHINES.named(cluster.key().namespace(), name()));
        return machineObject == null ? "" : Json.text(machineObject.tree(), "metadata", "uid");
    }

    /** Whether a worker's mark is on its Machine or its Node, or the Node takes no pods. */
    public boolean isMarked() {
        Stored machineObject = cluster.management()
                .store()
                .get(Resources.MACHINES.named(cluster.key().namespace(), name()));
        Stored nodeObject = cluster.workload().store().get(Resources.NODES.named(name()));
        return bears(machineObject, "flotilla.dev/attempt")
                || bears(nodeObject, "flotilla.dev/cordoned")
                || (nodeObject != null && Json.at(nodeObject.tree(), "spec", "unschedulable") != null);
    }

    private static boolean bears(@Nullable Stored object, String annotation) {
        return object != null
                && !Json.text(object.tree(), "metadata", "annotations", annotation)
                        .isEmpty();
    }

    /** What its Node object is called. */
    public String name() {
        return machine.name();
    }

    /** From the firmware of the machine under it. */
    String systemUuid() {
        return Ids.uuid("system/" + providerId());
    }

    String bootId() {
        return Ids.uuid("boot/" + providerId() + "/" + node.boots());
    }

    String providerId() {
        return "sim:///" + machine.site() + "/" + machine.name();
    }

    /** Kubernetes as its kubelet says it. */
    String kubelet() {
        return Releases.version(node.shown());
    }

    /** The annotation by which k8sd says what runs. */
    String k8sdVersion() {
        return "{\"revision\":\"" + node.told() + "\",\"kubernetesVersion\":\""
                + Releases.version(node.told()).substring(1) + "\"}";
    }
}
