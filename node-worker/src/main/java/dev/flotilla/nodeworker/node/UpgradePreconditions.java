package dev.flotilla.nodeworker.node;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.nodeworker.management.BackupPreconditions;
import dev.flotilla.nodeworker.management.ClusterPreconditions;
import dev.flotilla.nodeworker.management.ControlPlanePreconditions;
import dev.flotilla.nodeworker.management.MachinePreconditions;
import dev.flotilla.nodeworker.management.OwnerPreconditions;
import dev.flotilla.nodeworker.workload.ClusterAvailability;
import dev.flotilla.nodeworker.workload.NodeCordoner;
import dev.flotilla.nodeworker.workload.NodeSnapshot;
import dev.flotilla.nodeworker.workload.WorkloadClusterClient;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.SiteMode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final SiteClusters siteClusters;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private @Nullable String ownChangeId;
    private @Nullable Long replicas;
    private boolean passed;
    private long checkedAt;

    UpgradePreconditions(SiteClusters siteClusters, UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
    }

    /** A check on the workload cluster. */
    interface WorkloadCheck {
        @Nullable
        String findProblem(KubeApiClient api);
    }

    /** Runs a check on the workload cluster, if it is reachable. */
    interface WorkloadQuery {
        @Nullable
        String query(WorkloadCheck workloadCheck);
    }

    /**
     * Returns the mode set for the worker, or the one that the site's watcher found. If unknown, the provider's
     * annotations belong to the provider.
     */
    private SiteMode mode() {
        SiteMode set = siteClusters.settings.siteMode();
        SiteMode found = set == null ? upgradeAttemptParameters.mode() : set;
        return found == null ? SiteMode.INTERCEPT : found;
    }

    /**
     * Checks the Machine as last read, before anything is written to it. If other machines of the cluster blocked the
     * last attempt, they are checked as well.
     */
    @Nullable
    String checkBeforeGuards(
            KubeObject machine,
            ClusterKey cluster,
            String node,
            @Nullable String ownChangeId,
            WorkloadQuery workloadQuery) {
        this.ownChangeId = ownChangeId;
        String problem = findProblem(machine, cluster);
        return problem == null && siteClusters.waiting.get(upgradeAttemptParameters.key()) != null
                ? checkPeers(node, workloadQuery)
                : problem;
    }

    /** Checks the Machine as it is after the guards were set. */
    @Nullable
    String checkAfterGuards(KubeObject machine, ClusterKey cluster, @Nullable String ownChangeId) {
        this.ownChangeId = ownChangeId;
        return checkNow(machine, cluster);
    }

    private @Nullable String checkNow(KubeObject machine, ClusterKey cluster) {
        passed = false;
        // What is read after this time is at least as new.
        long at = siteClusters.ticks.getAsLong();
        String problem = findProblem(machine, cluster);
        if (problem == null) {
            passed = true;
            checkedAt = at;
        }
        return problem;
    }

    private @Nullable String findProblem(KubeObject machine, ClusterKey cluster) {
        String problem = MachinePreconditions.findProblem(machine, upgradeAttemptParameters.uid(), mode(), ownChangeId);
        if (problem != null) {
            return problem;
        }
        KubeResponse clusterResponse = siteClusters.machines.cluster(cluster);
        if (!(clusterResponse instanceof KubeResponse.SuccessResponse successResponse)) {
            return "the cluster cannot be read: " + clusterResponse.problem();
        }
        problem = ClusterPreconditions.findProblem(successResponse.object());
        if (problem == null) {
            problem = BackupPreconditions.findProblem(
                    machine,
                    successResponse.object(),
                    upgradeAttemptParameters.maxBackupAge(),
                    siteClusters.clock.instant());
        }
        if (problem != null) {
            return problem;
        }
        KubeResponse owner = siteClusters.machines.owner(machine);
        if (owner == null) {
            return null;
        }
        if (!(owner instanceof KubeResponse.SuccessResponse its)) {
            return "the machine's owner cannot be read: " + owner.problem();
        }
        replicas = its.object().number("spec", "replicas");
        problem = OwnerPreconditions.findProblem(its.object(), mode());
        return problem == null && upgradeAttemptParameters.role() == MachineRole.CONTROL_PLANE
                ? ControlPlanePreconditions.findProblem(its.object())
                : problem;
    }

    /** Checks everything on the current objects. */
    @Nullable
    String checkBeforeCall(ClusterKey cluster, String node, WorkloadQuery workloadQuery) {
        if (!passed || siteClusters.ticks.getAsLong() - checkedAt > FRESH_NANOS) {
            KubeResponse reply = siteClusters.machines.machine(upgradeAttemptParameters.key());
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply.isMissing() ? "no such machine" : "the machine cannot be read: " + reply.problem();
            }
            AttemptAnnotation attemptAnnotation = AttemptAnnotation.onMachine(successResponse.object());
            if (attemptAnnotation == null
                    || !attemptAnnotation.belongsTo(
                            upgradeAttemptParameters.attemptId(), upgradeAttemptParameters.owner())) {
                return "another worker has taken over the machine";
            }
            String problem = checkNow(successResponse.object(), cluster);
            if (problem != null) {
                return problem;
            }
        }
        return checkPeers(node, workloadQuery);
    }

    private @Nullable String checkPeers(String node, WorkloadQuery workloadQuery) {
        String problem = workloadQuery.query(api -> upgradeAttemptParameters.role() == MachineRole.CONTROL_PLANE
                ? checkMembers(new WorkloadClusterClient(api), node)
                : checkWorkers(api, node));
        if (problem == null) {
            siteClusters.waiting.remove(upgradeAttemptParameters.key());
        } else {
            siteClusters.waiting.put(upgradeAttemptParameters.key(), problem);
        }
        return problem;
    }

    private @Nullable String checkWorkers(KubeApiClient api, String node) {
        return switch (new WorkloadClusterClient(api).listNodes()) {
            case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                "the nodes cannot be listed: " + nodeListFailed.reason();
            case WorkloadClusterClient.NodeListResult.NodesListed nodesListed -> {
                String problem = ClusterAvailability.checkWorkers(
                        node, nodesListed.nodes(), upgradeAttemptParameters.maxUnavailable());
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
            if (attemptAnnotation != null && attemptAnnotation.isOverdue(siteClusters.clock.instant())) {
                // If that fails, the next check tries again.
                new NodeCordoner(new WorkloadClusterClient(api))
                        .uncordonNode(staleNode.name(), attemptAnnotation.attempt(), attemptAnnotation.owner(), null);
            }
        }
    }

    private @Nullable String checkMembers(WorkloadClusterClient workloadClusterClient, String node) {
        return switch (workloadClusterClient.listControlPlaneNodes()) {
            case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                "the control plane's nodes cannot be listed: " + nodeListFailed.reason();
            case WorkloadClusterClient.NodeListResult.NodesListed nodesListed -> {
                Map<String, Instant> leaseRenewals = new HashMap<>();
                for (NodeSnapshot member : nodesListed.nodes()) {
                    Instant at =
                            member.name().equals(node) ? null : workloadClusterClient.leaseRenewedAt(member.name());
                    if (at != null) {
                        leaseRenewals.put(member.name(), at);
                    }
                }
                String problem = ClusterAvailability.checkControlPlane(
                        node, nodesListed.nodes(), replicas, leaseRenewals, siteClusters.clock.instant());
                yield problem == null ? checkDatastore(workloadClusterClient, node, nodesListed.nodes()) : problem;
            }
        };
    }

    /**
     * Checks the datastore and the API servers of the other members: a member with a dead datastore has a healthy
     * kubelet.
     */
    private static @Nullable String checkDatastore(
            WorkloadClusterClient workloadClusterClient, String node, List<NodeSnapshot> members) {
        List<NodeSnapshot> others =
                members.stream().filter(member -> !member.name().equals(node)).toList();
        if (others.isEmpty()) {
            return null;
        }
        String datastoreProblem = workloadClusterClient.datastoreProblem();
        return datastoreProblem == null
                ? ClusterAvailability.checkApiServers(others, workloadClusterClient.apiAddresses())
                : datastoreProblem;
    }
}
