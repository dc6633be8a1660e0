package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.NameValidator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Machine of an attempt, and with it its cluster, node and address. They do not change while the machine
 * exists, so they are cached.
 */
final class NodeLocator {
    private final SiteClusters siteClusters;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private volatile @Nullable NodeReference cachedReference;

    NodeLocator(SiteClusters siteClusters, UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
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

    /** Reads the Machine. */
    LocateResult locate() {
        KubeResponse reply = siteClusters.machines.machine(upgradeAttemptParameters.key());
        if (reply.isMissing()) {
            return new LocateResult.NoSuchMachine();
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new LocateResult.LocateFailed(
                    "the machine cannot be read from the management cluster: " + reply.problem());
        }
        KubeObject machine = successResponse.object();
        if (!machine.uid().equals(upgradeAttemptParameters.uid())) {
            return new LocateResult.NoSuchMachine();
        }
        String cluster = machine.text("spec", "clusterName");
        String node = machine.text("status", "nodeRef", "name");
        if (cluster == null || node == null) {
            return new LocateResult.LocateFailed("the machine has no node yet");
        }
        if (NameValidator.problemOfSubdomain(cluster) != null || NameValidator.problemOfSubdomain(node) != null) {
            return new LocateResult.LocateFailed("the machine's cluster or node is not a valid DNS name");
        }
        NodeReference reference = new NodeReference(
                machine,
                new ClusterKey(
                        upgradeAttemptParameters.key().site(),
                        upgradeAttemptParameters.key().namespace(),
                        cluster),
                node,
                null);
        cachedReference = reference;
        return new LocateResult.NodeLocated(reference);
    }

    /** Returns the cached reference, or reads the Machine. */
    LocateResult locateCached() {
        NodeReference reference = cachedReference;
        return reference == null ? locate() : new LocateResult.NodeLocated(reference);
    }

    /** Returns the cached reference; null before the first read. */
    @Nullable
    NodeReference cachedReference() {
        return cachedReference;
    }

    @Nullable
    ClusterKey cluster() {
        NodeReference reference = cachedReference;
        return reference == null ? null : reference.cluster();
    }

    @Nullable
    String address() {
        NodeReference reference = cachedReference;
        return reference == null ? null : reference.address();
    }

    void address(NodeReference reference, @Nullable String address) {
        cachedReference = new NodeReference(reference.machine(), reference.cluster(), reference.node(), address);
    }

    void machine(NodeReference reference, KubeObject machine) {
        cachedReference = new NodeReference(machine, reference.cluster(), reference.node(), reference.address());
    }
}
