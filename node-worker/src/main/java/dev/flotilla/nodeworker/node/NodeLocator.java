package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.NameValidator;
import org.jspecify.annotations.Nullable;

/** Where an attempt's machine is: what its Machine says that does not change while it lives, remembered to save a read. */
final class NodeLocator {
    private final SiteClusters siteClusters;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private volatile @Nullable NodeReference cachedReference;

    NodeLocator(SiteClusters siteClusters, UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
    }

    /**
     * A machine that is there.
     *
     * @param machine as it was seen last
     * @param address of its node; null before the node was seen
     */
    record NodeReference(
            KubeObject machine,
            ClusterKey cluster,
            String node,
            @Nullable String address) {}

    /** What came of looking for it. */
    sealed interface LocateResult {
        record NodeLocated(NodeReference reference) implements LocateResult {}

        record NoSuchMachine() implements LocateResult {}

        record LocateFailed(String reason) implements LocateResult {}
    }

    /** Looks for it. */
    LocateResult locate() {
        KubeResponse reply = siteClusters.machines.machine(upgradeAttemptParameters.key());
        if (reply.isMissing()) {
            return new LocateResult.NoSuchMachine();
        }
        if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
            return new LocateResult.LocateFailed(
                    "the management cluster does not tell of the machine: " + reply.problem());
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
            return new LocateResult.LocateFailed("the machine names a cluster or a node that has no right name");
        }
        NodeReference it = new NodeReference(
                machine,
                new ClusterKey(
                        upgradeAttemptParameters.key().site(),
                        upgradeAttemptParameters.key().namespace(),
                        cluster),
                node,
                null);
        cachedReference = it;
        return new LocateResult.NodeLocated(it);
    }

    /** As it was found, or finds it. */
    LocateResult locateCached() {
        NodeReference it = cachedReference;
        return it == null ? locate() : new LocateResult.NodeLocated(it);
    }

    /** As it was found; null before. */
    @Nullable
    NodeReference cachedReference() {
        return cachedReference;
    }

    @Nullable
    ClusterKey cluster() {
        NodeReference it = cachedReference;
        return it == null ? null : it.cluster();
    }

    @Nullable
    String address() {
        NodeReference it = cachedReference;
        return it == null ? null : it.address();
    }

    void address(NodeReference it, @Nullable String address) {
        cachedReference = new NodeReference(it.machine(), it.cluster(), it.node(), address);
    }

    void machine(NodeReference it, KubeObject machine) {
        cachedReference = new NodeReference(machine, it.cluster(), it.node(), it.address());
    }
}
