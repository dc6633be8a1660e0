package dev.flotilla.nodeworker.node;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.kube.ExpiringCache;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.BackupPreconditions;
import dev.flotilla.nodeworker.management.ManagementClusterClient;
import dev.flotilla.nodeworker.management.ObjectPreconditions;
import dev.flotilla.nodeworker.node.NodeLocator.NodeReference;
import dev.flotilla.nodeworker.upgrade.NodeUpgradeParameters;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.nodeworker.workload.ClusterAvailability;
import dev.flotilla.nodeworker.workload.DatastoreMembers;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.NodeSnapshot;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.nodeworker.workload.WorkloadClusterPool;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a machine may be upgraded: the Machine, its Cluster, its owner and the other machines of the cluster.
 */
final class UpgradePreconditions {
    /**
     * The Machine from the response to the guards' write is used instead of a read for this time, which is shorter than
     * the command delay.
     */
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final UpgradeAttemptParameters parameters;
    private final @Nullable SiteMode configuredMode;
    private final ManagementClusterClient managementCluster;
    private final WorkloadClusterPool workloadClusters;
    private final ExpiringCache<MachineKey, String> blockedByPeers;
    private final InstantSource clock;
    private final LongSupplier ticks;
    private @Nullable String ownChangeId;
    private @Nullable Long replicas;
    private boolean passed;
    private long checkedAt;

    /**
     * Creates the preconditions of an attempt.
     *
     * @param configuredMode mode set for the worker; null for the one in the command
     * @param blockedByPeers why machines were recently blocked by other machines of their cluster
     */
    UpgradePreconditions(
            UpgradeAttemptParameters parameters,
            @Nullable SiteMode configuredMode,
            ManagementClusterClient managementCluster,
            WorkloadClusterPool workloadClusters,
            ExpiringCache<MachineKey, String> blockedByPeers,
            InstantSource clock,
            LongSupplier ticks) {
        this.parameters = parameters;
        this.configuredMode = configuredMode;
        this.managementCluster = managementCluster;
        this.workloadClusters = workloadClusters;
        this.blockedByPeers = blockedByPeers;
        this.clock = clock;
        this.ticks = ticks;
    }

    /**
     * Returns the mode set for the worker, or the one that the site's watcher found. If unknown, the provider's
     * annotations belong to the provider.
     */
    private SiteMode mode() {
        SiteMode mode = configuredMode == null ? parameters.mode() : configuredMode;
        return mode == null ? SiteMode.INTERCEPT : mode;
    }

    /**
     * Checks the Machine as last read, before anything is written to it. If other machines of the cluster blocked the
     * last attempt, they are checked as well.
     */
    @Nullable
    String checkBeforeGuards(NodeReference reference, @Nullable String ownChangeId) {
        this.ownChangeId = ownChangeId;
        String problem = findProblem(reference.machine(), reference.cluster());
        return problem == null && blockedByPeers.get(parameters.key()) != null ? checkPeers(reference) : problem;
    }

    /** Checks the Machine as it is after the guards were set. */
    @Nullable
    String checkAfterGuards(NodeReference reference, @Nullable String ownChangeId) {
        this.ownChangeId = ownChangeId;
        return checkNow(reference.machine(), reference.cluster());
    }

    private @Nullable String checkNow(KubeObject machine, ClusterKey cluster) {
        passed = false;
        // What is read after this time is at least as new.
        long at = ticks.getAsLong();
        String problem = findProblem(machine, cluster);
        if (problem == null) {
            passed = true;
            checkedAt = at;
        }
        return problem;
    }

    private @Nullable String findProblem(KubeObject machine, ClusterKey cluster) {
        String problem = ObjectPreconditions.findMachineProblem(machine, parameters.uid(), mode(), ownChangeId);
        if (problem != null) {
            return problem;
        }
        KubeResponse clusterResponse = managementCluster.cluster(cluster);
        if (!(clusterResponse instanceof KubeResponse.SuccessResponse clusterSuccess)) {
            return "the cluster cannot be read: " + clusterResponse.problem();
        }
        problem = ObjectPreconditions.findClusterProblem(clusterSuccess.object());
        if (problem == null) {
            problem = BackupPreconditions.findProblem(
                    machine, clusterSuccess.object(), parameters.maxBackupAge(), clock.instant());
        }
        if (problem != null) {
            return problem;
        }
        KubeResponse ownerResponse = managementCluster.owner(machine);
        if (ownerResponse == null) {
            return null;
        }
        if (!(ownerResponse instanceof KubeResponse.SuccessResponse ownerSuccess)) {
            return "the machine's owner cannot be read: " + ownerResponse.problem();
        }
        KubeObject owner = ownerSuccess.object();
        boolean updatedByTask = ObjectPreconditions.isUpdatedByTask(machine);
        replicas = ObjectPreconditions.expectedMembers(owner, updatedByTask);
        problem = ObjectPreconditions.findOwnerProblem(
                owner, mode(), updatedByTask, ObjectPreconditions.isPausedForTask(owner, machine));
        return problem == null && parameters.role() == MachineRole.CONTROL_PLANE
                ? ObjectPreconditions.findControlPlaneProblem(owner)
                : problem;
    }

    /** Checks everything on the current objects. */
    @Nullable
    String checkBeforeCall(NodeReference reference) {
        if (!passed || ticks.getAsLong() - checkedAt > FRESH_NANOS) {
            KubeResponse response = managementCluster.machine(parameters.key());
            if (!(response instanceof KubeResponse.SuccessResponse successResponse)) {
                return response.isMissing() ? "no such machine" : "the machine cannot be read: " + response.problem();
            }
            AttemptAnnotation attemptAnnotation = AttemptAnnotation.onMachine(successResponse.object());
            if (attemptAnnotation == null || !attemptAnnotation.belongsTo(parameters.attemptId(), parameters.owner())) {
                return "another worker has taken over the machine";
            }
            String problem = checkNow(successResponse.object(), reference.cluster());
            if (problem != null) {
                return problem;
            }
        }
        return checkPeers(reference);
    }

    private @Nullable String checkPeers(NodeReference reference) {
        String problem = workloadClusters.<@Nullable String>queryCluster(
                reference.cluster(),
                api -> parameters.role() == MachineRole.CONTROL_PLANE
                        ? checkMembers(api, reference.node())
                        : checkWorkers(api, reference.node()),
                reason -> reason);
        if (problem == null) {
            blockedByPeers.remove(parameters.key());
        } else {
            blockedByPeers.put(parameters.key(), problem);
        }
        return problem;
    }

    private @Nullable String checkWorkers(KubeApiClient api, String node) {
        String problem = checkApiVersion(api);
        return problem == null ? checkAvailability(api, node) : problem;
    }

    /**
     * A kubelet must not be newer than its API server. The orchestrator compares Machines, and a control plane that is hosted
     * elsewhere has none.
     */
    private @Nullable String checkApiVersion(KubeApiClient api) {
        NodeUpgradeParameters nodeUpgrade = parameters.nodeUpgrade();
        if (nodeUpgrade == null || !(nodeUpgrade.target() instanceof UpgradeTarget.KubernetesRelease release)) {
            return null;
        }
        String served = new WorkloadClusterClient(api).apiVersion();
        int apiVersion = KubernetesVersion.parse(served);
        return apiVersion != KubernetesVersion.UNKNOWN
                        && KubernetesVersion.minor(KubernetesVersion.parse(release.version()))
                                > KubernetesVersion.minor(apiVersion)
                ? "the API server of the cluster runs " + served + ", and the target is " + release.version()
                        + ": upgrade the control plane first"
                : null;
    }

    private @Nullable String checkAvailability(KubeApiClient api, String node) {
        return switch (new WorkloadClusterClient(api).listNodes()) {
            case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                "the nodes cannot be listed: " + nodeListFailed.reason();
            case WorkloadClusterClient.NodeListResult.NodesListed nodesListed -> {
                String problem =
                        ClusterAvailability.checkWorkers(node, nodesListed.nodes(), parameters.maxUnavailable());
                if (problem != null) {
                    uncordonStaleNodes(api, nodesListed.nodes());
                }
                yield problem;
            }
        };
    }

    /**
     * Uncordons nodes that an attempt of long ago could not uncordon, because they would count as unavailable for ever.
     */
    private void uncordonStaleNodes(KubeApiClient api, List<NodeSnapshot> nodes) {
        for (NodeSnapshot staleNode : nodes) {
            AttemptAnnotation attemptAnnotation = staleNode.cordon();
            if (attemptAnnotation != null && attemptAnnotation.isOverdue(clock.instant())) {
                // If that fails, the next check tries again.
                new NodeCordoner(new WorkloadClusterClient(api))
                        .uncordonNode(staleNode.name(), attemptAnnotation.attempt(), attemptAnnotation.owner(), null);
            }
        }
    }

    private @Nullable String checkMembers(KubeApiClient api, String node) {
        WorkloadClusterClient workloadClusterClient = new WorkloadClusterClient(api);
        return switch (workloadClusterClient.listControlPlaneNodes()) {
            case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                "the control plane's nodes cannot be listed: " + nodeListFailed.reason();
            case WorkloadClusterClient.NodeListResult.NodesListed nodesListed -> {
                Map<String, Instant> leaseRenewals = new HashMap<>();
                for (NodeSnapshot member : nodesListed.nodes()) {
                    Instant at = member.name().equals(node) ? null : workloadClusterClient.aliveAt(member);
                    if (at != null) {
                        leaseRenewals.put(member.name(), at);
                    }
                }
                String problem = ClusterAvailability.checkControlPlane(
                        node, nodesListed.nodes(), replicas, leaseRenewals, clock.instant());
                yield problem == null ? checkDatastore(api, node, nodesListed.nodes()) : problem;
            }
        };
    }

    /**
     * Checks the datastore and the API servers of the other members: a member with a dead datastore has a healthy
     * kubelet. The datastore of a machine that k8sd upgrades shows no pods: its members are judged by their API servers.
     */
    private @Nullable String checkDatastore(KubeApiClient api, String node, List<NodeSnapshot> members) {
        List<NodeSnapshot> others =
                members.stream().filter(member -> !member.name().equals(node)).toList();
        if (others.isEmpty()) {
            return null;
        }
        WorkloadClusterClient workloadClusterClient = new WorkloadClusterClient(api);
        String problem = workloadClusterClient.datastoreProblem();
        if (problem == null && workloadClusterClient.showsApiAddresses()) {
            problem = ClusterAvailability.checkApiServers(others, workloadClusterClient.apiAddresses());
        }
        return problem == null && parameters.nodeUpgrade() != null
                ? new DatastoreMembers(api).findProblem(others)
                : problem;
    }
}
