package dev.flotilla.nodeworker.node;

import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.kube.ForbiddenAddresses;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.nodeworker.node.NodeLocator.LocateResult;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.workload.ControlPlanePodReader;
import dev.flotilla.nodeworker.workload.NodeInspector;
import dev.flotilla.nodeworker.workload.NodeSnapshot;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Inspects the node of one attempt, and caches how it was before the change. Methods block. */
final class AttemptNodeInspector {
    private final NodeLocator nodeLocator;
    private final WorkloadClusterPool workloadClusters;
    private final MachineRole role;
    private final boolean hasK8sd;
    private final InstantSource clock;
    private final boolean loopbackAllowed;
    /** The node as last inspected before the change; null if none is cached. */
    private @Nullable NodeSnapshot snapshotBefore;

    /**
     * Creates an inspector.
     *
     * @param hasK8sd whether the node's k8sd upgrades it
     * @param loopbackAllowed whether nodes may be on this machine, because the management cluster is
     */
    AttemptNodeInspector(
            NodeLocator nodeLocator,
            WorkloadClusterPool workloadClusters,
            MachineRole role,
            boolean hasK8sd,
            InstantSource clock,
            boolean loopbackAllowed) {
        this.nodeLocator = nodeLocator;
        this.workloadClusters = workloadClusters;
        this.role = role;
        this.hasK8sd = hasK8sd;
        this.clock = clock;
        this.loopbackAllowed = loopbackAllowed;
    }

    /** The address of a node. */
    sealed interface AddressResult {
        record AddressFound(String address) implements AddressResult {}

        record NoUsableAddress(String reason) implements AddressResult {}
    }

    /**
     * Inspects the node.
     *
     * @param changedAt wall time at which its change ended, because the node's status from before proves nothing; null
     *     before the change
     */
    NodeInspection inspectNode(@Nullable Instant changedAt) {
        return switch (changedAt == null ? nodeLocator.locate() : nodeLocator.locateCached()) {
            case LocateResult.NoSuchMachine noSuchMachine -> new NodeInspection.MachineGone();
            case LocateResult.LocateFailed locateFailed -> new NodeInspection.Unreachable(locateFailed.reason());
            case LocateResult.NodeLocated nodeLocated -> inspectNode(nodeLocated.reference(), changedAt);
        };
    }

    private NodeInspection inspectNode(NodeReference reference, @Nullable Instant changedAt) {
        NodeInspector.InspectedNode inspectedNode = workloadClusters.queryCluster(
                reference.cluster(),
                api -> hasK8sd
                        ? new NodeInspector(new WorkloadClusterClient(api))
                                .inspectNode(reference.node(), role, changedAt, snapshotBefore, clock.instant())
                        : inspectWithoutK8sd(api, reference.node(), changedAt),
                reason -> new NodeInspector.InspectedNode(new NodeInspection.Unreachable(reason), null, false));
        NodeSnapshot snapshot = inspectedNode.snapshot();
        if (snapshot != null) {
            snapshotBefore = changedAt == null ? snapshot : snapshotBefore;
            nodeLocator.cacheAddress(reference, snapshot.internalIp());
        }
        // A missing Node may mean that the machine was deleted.
        return inspectedNode.missing() && nodeLocator.locate() instanceof LocateResult.NoSuchMachine
                ? new NodeInspection.MachineGone()
                : inspectedNode.inspection();
    }

    private NodeInspector.InspectedNode inspectWithoutK8sd(
            KubeApiClient api, String node, @Nullable Instant changedAt) {
        NodeInspector.InspectedNode inspected = new NodeInspector(new WorkloadClusterClient(api))
                .inspectNodeWithoutK8sd(node, role, changedAt, snapshotBefore, clock.instant());
        return role == MachineRole.CONTROL_PLANE
                        && inspected.inspection() instanceof NodeInspection.ObservedNode observed
                ? new NodeInspector.InspectedNode(
                        withComponents(api, node, observed), inspected.snapshot(), inspected.missing())
                : inspected;
    }

    private static NodeInspection withComponents(KubeApiClient api, String node, NodeInspection.ObservedNode observed) {
        return switch (new ControlPlanePodReader(api).readComponents(node)) {
            case ControlPlanePodReader.PodsResult.ComponentsRead read -> observed.withComponents(read.components());
            case ControlPlanePodReader.PodsResult.PodsUnreadable unreadable ->
                new NodeInspection.Unreachable(
                        "the control plane's pods of node " + node + " cannot be listed: " + unreadable.reason());
        };
    }

    /** Returns the node's address, from an inspection if it is not cached. */
    AddressResult findAddress(NodeReference reference) {
        if (reference.address() == null) {
            inspectNode(reference, null);
        }
        NodeReference current = nodeLocator.cachedReference();
        String address = current == null ? null : current.address();
        if (address == null) {
            return new AddressResult.NoUsableAddress("node " + reference.node() + " has no InternalIP");
        }
        String problem = ForbiddenAddresses.problemOfNode(address, loopbackAllowed);
        return problem == null
                ? new AddressResult.AddressFound(address)
                : new AddressResult.NoUsableAddress(
                        "node " + reference.node() + " has the InternalIP " + address + ", which " + problem);
    }

    /** Returns the current conditions of the Node, or why it cannot be read. */
    List<String> readConditions(NodeReference reference) {
        return workloadClusters.queryCluster(
                reference.cluster(),
                api -> new NodeInspector(new WorkloadClusterClient(api)).readConditions(reference.node()),
                List::of);
    }
}
