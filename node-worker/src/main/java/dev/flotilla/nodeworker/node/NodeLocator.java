package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.NameValidator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Machine of an attempt, and with it its cluster, node and address. They do not change while the machine
 * exists, so they are cached.
 */
final class NodeLocator {
    private final ManagementClusterClient managementCluster;
    private final MachineKey machine;
    private final String uid;
    private volatile @Nullable NodeReference cachedReference;

    /**
     * Creates a locator.
     *
     * @param uid uid of the Machine: another machine of its name is not found
     */
    NodeLocator(ManagementClusterClient managementCluster, MachineKey machine, String uid) {
        this.managementCluster = managementCluster;
        this.machine = machine;
        this.uid = uid;
    }

    /**
     * Where an existing machine's node is.
     *
     * @param machine the Machine as last read
     * @param address address of its node; null before the node was read
     */
    record NodeReference(
            KubeObject machine,
            ClusterKey cluster,
            String node,
            @Nullable String address) {}

    /** Result of locating a machine. */
    sealed interface LocateResult {
        record NodeLocated(NodeReference reference) implements LocateResult {}

        record NoSuchMachine() implements LocateResult {}

        record LocateFailed(String reason) implements LocateResult {}
    }

    /** An action on a located node. It may block. */
    interface NodeAction<T extends @Nullable Object> {
        T run(NodeReference reference) throws InterruptedException;
    }

    /** Reads the Machine. */
    LocateResult locate() {
        KubeResponse response = managementCluster.machine(machine);
        if (response.isMissing()) {
            return new LocateResult.NoSuchMachine();
        }
        if (!(response instanceof KubeResponse.SuccessResponse success)) {
            return new LocateResult.LocateFailed(
                    "the machine cannot be read from the management cluster: " + response.problem());
        }
        KubeObject object = success.object();
        if (!object.uid().equals(uid)) {
            return new LocateResult.NoSuchMachine();
        }
        String cluster = object.text("spec", "clusterName");
        String node = object.text("status", "nodeRef", "name");
        if (cluster == null || node == null) {
            return new LocateResult.LocateFailed("the machine has no node yet");
        }
        if (NameValidator.problemOfSubdomain(cluster) != null || NameValidator.problemOfSubdomain(node) != null) {
            return new LocateResult.LocateFailed("the machine's cluster or node is not a valid DNS name");
        }
        NodeReference reference =
                new NodeReference(object, new ClusterKey(machine.site(), machine.namespace(), cluster), node, null);
        cachedReference = reference;
        return new LocateResult.NodeLocated(reference);
    }

    /** Returns the cached reference, or reads the Machine. */
    LocateResult locateCached() {
        NodeReference reference = cachedReference;
        return reference == null ? locate() : new LocateResult.NodeLocated(reference);
    }

    /**
     * Runs an action on the node, located as in {@link #locateCached}.
     *
     * @param notLocated makes the result from the reason if the node cannot be located
     */
    <T extends @Nullable Object> T withNode(NodeAction<T> action, Function<String, T> notLocated)
            throws InterruptedException {
        return switch (locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> notLocated.apply("no such machine");
            case LocateResult.LocateFailed locateFailed -> notLocated.apply(locateFailed.reason());
            case LocateResult.NodeLocated nodeLocated -> action.run(nodeLocated.reference());
        };
    }

    /** Returns the cached reference; null before the first read. */
    @Nullable
    NodeReference cachedReference() {
        return cachedReference;
    }

    /** Caches the address of the node. */
    void cacheAddress(NodeReference reference, @Nullable String address) {
        cachedReference = new NodeReference(reference.machine(), reference.cluster(), reference.node(), address);
    }

    /** Caches the Machine after a write, and returns the new reference. */
    NodeReference cacheMachine(NodeReference reference, KubeObject written) {
        NodeReference updated = new NodeReference(written, reference.cluster(), reference.node(), reference.address());
        cachedReference = updated;
        return updated;
    }
}
