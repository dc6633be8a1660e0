package dev.flotilla.simulator.embedded;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.k8sd.SimK8sd;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SnapReleases;
import org.jspecify.annotations.Nullable;

/**
 * A machine with its node. Inject faults through {@code node} and {@code k8sd}, on the fleet's event loop.
 *
 * @param address its InternalIP, and the Host of requests to its k8sd
 * @param token that its k8sd accepts
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

    /** Whether an attempt annotation is on its Machine or Node, or the Node is cordoned. */
    public boolean hasAttemptLeftovers() {
        StoredObject machineObject = cluster.management()
                .store()
                .get(BuiltInResources.MACHINES.named(cluster.key().namespace(), name()));
        StoredObject nodeObject = cluster.workload().store().get(BuiltInResources.NODES.named(name()));
        return hasAnnotation(machineObject, AnnotationKeys.ATTEMPT)
                || hasAnnotation(nodeObject, AnnotationKeys.CORDONED)
                || (nodeObject != null && ImmutableJson.valueAt(nodeObject.tree(), "spec", "unschedulable") != null);
    }

    private static boolean hasAnnotation(@Nullable StoredObject object, String annotation) {
        return object != null
                && !ImmutableJson.textAt(object.tree(), "metadata", "annotations", annotation)
                        .isEmpty();
    }

    /** The name of its Node object. */
    public String name() {
        return machine.name();
    }

    /** The system UUID from the machine's firmware. */
    String systemUuid() {
        return StableIdGenerator.stableUuid("system/" + providerId());
    }

    String bootId() {
        return StableIdGenerator.stableUuid("boot/" + providerId() + "/" + node.boots());
    }

    String providerId() {
        return "sim:///" + machine.site() + "/" + machine.name();
    }

    /** The Kubernetes version that its kubelet reports. */
    String kubeletVersion() {
        return SnapReleases.version(node.revisionInNodeObject());
    }

    /** The annotation value with which k8sd reports the running revision. */
    String k8sdVersionAnnotation() {
        return "{\"revision\":\"" + node.revisionInK8sdDatabase() + "\",\"kubernetesVersion\":\""
                + SnapReleases.version(node.revisionInK8sdDatabase()).substring(1) + "\"}";
    }
}
