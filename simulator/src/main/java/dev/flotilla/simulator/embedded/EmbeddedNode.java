package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.SimK8sd;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SnapReleases;
import org.jspecify.annotations.Nullable;

/**
 * A machine with its node. What is to go wrong with it is told to {@code node} and {@code k8sd}, on the fleet's event loop.
 *
 * @param address its InternalIP, and the Host that its k8sd is asked by
 * @param token that its k8sd wants to see
 */
public record EmbeddedNode(
        MachineKey machine,
        MachineRole role,
        SimNode node,
        SimK8sd k8sd,
        String address,
        String token,
        EmbeddedCluster cluster) {

    /** The uid of its Machine. */
    public String uid() {
        StoredObject machineObject = cluster.management()
                .store()
                .get(BuiltInResources.MACHINES.named(cluster.key().namespace(), name()));
        return machineObject == null ? "" : ImmutableJson.textAt(machineObject.tree(), "metadata", "uid");
    }

    /** Whether a worker's mark is on its Machine or its Node, or the Node takes no pods. */
    public boolean isMarked() {
        StoredObject machineObject = cluster.management()
                .store()
                .get(BuiltInResources.MACHINES.named(cluster.key().namespace(), name()));
        StoredObject nodeObject = cluster.workload().store().get(BuiltInResources.NODES.named(name()));
        return bears(machineObject, "flotilla.dev/attempt")
                || bears(nodeObject, "flotilla.dev/cordoned")
                || (nodeObject != null && ImmutableJson.valueAt(nodeObject.tree(), "spec", "unschedulable") != null);
    }

    private static boolean bears(@Nullable StoredObject object, String annotation) {
        return object != null
                && !ImmutableJson.textAt(object.tree(), "metadata", "annotations", annotation)
                        .isEmpty();
    }

    /** What its Node object is called. */
    public String name() {
        return machine.name();
    }

    /** From the firmware of the machine under it. */
    String systemUuid() {
        return StableIdGenerator.stableUuid("system/" + providerId());
    }

    String bootId() {
        return StableIdGenerator.stableUuid("boot/" + providerId() + "/" + node.boots());
    }

    String providerId() {
        return "sim:///" + machine.site() + "/" + machine.name();
    }

    /** Kubernetes as its kubelet says it. */
    String kubelet() {
        return SnapReleases.version(node.revisionInNodeObject());
    }

    /** The annotation by which k8sd says what runs. */
    String k8sdVersion() {
        return "{\"revision\":\"" + node.revisionInK8sdDatabase() + "\",\"kubernetesVersion\":\""
                + SnapReleases.version(node.revisionInK8sdDatabase()).substring(1) + "\"}";
    }
}
