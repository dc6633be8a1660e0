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

/** Whether the machine may be touched, by everything that says so: the machine itself, its cluster, its owner, its peers. */
final class UpgradePreconditions {
    /** The machine as the guards' write showed it is as good as a look, for less than the command delay. */
    private static final long AS_NOW_NANOS = 1_000_000_000L;

    private final SiteClusters siteClusters;
    private final UpgradeAttemptParameters upgradeAttemptParameters;
    private @Nullable String ownChangeId;
    private @Nullable Long replicas;
    private boolean clean;
    private long judgedAt;

    UpgradePreconditions(SiteClusters siteClusters, UpgradeAttemptParameters upgradeAttemptParameters) {
        this.siteClusters = siteClusters;
        this.upgradeAttemptParameters = upgradeAttemptParameters;
    }

    /** What speaks against the call, as a workload cluster shows it. */
    interface WorkloadCheck {
        @Nullable
        String findProblem(KubeApiClient api);
    }

    /** Asks the workload cluster, if it can be reached. */
    interface WorkloadQuery {
        @Nullable
        String query(WorkloadCheck workloadCheck);
    }

    /** As the worker is set, or as the site's watcher found it. Where nobody says, the provider's keys are the provider's. */
    private SiteMode mode() {
        SiteMode set = siteClusters.settings.siteMode();
        SiteMode found = set == null ? upgradeAttemptParameters.mode() : set;
        return found == null ? SiteMode.INTERCEPT : found;
    }

    /**
     * Judges the machine as it was seen last, before anything is written to it. Where its peers spoke against the last attempt,
     * they are asked as well.
     */
    @Nullable
    String checkBeforeGuards(
            KubeObject machine,
            ClusterKey cluster,
            String node,
            @Nullable String ownChangeId,
            WorkloadQuery workloadQuery) {
        this.ownChangeId = ownChangeId;
        String problem = problem(machine, cluster);
        return problem == null && siteClusters.waiting.get(upgradeAttemptParameters.key()) != null
                ? peers(node, workloadQuery)
                : problem;
    }

    /** Judges the machine as it came back with the guards on it. */
    @Nullable
    String checkAfterGuards(KubeObject machine, ClusterKey cluster, @Nullable String ownChangeId) {
        this.ownChangeId = ownChangeId;
        return judged(machine, cluster);
    }

    private @Nullable String judged(KubeObject machine, ClusterKey cluster) {
        clean = false;
        // What is read after this instant is at least as new as it.
        long at = siteClusters.ticks.getAsLong();
        String problem = problem(machine, cluster);
        if (problem == null) {
            clean = true;
            judgedAt = at;
        }
        return problem;
    }

    private @Nullable String problem(KubeObject machine, ClusterKey cluster) {
        String problem = MachinePreconditions.findProblem(machine, upgradeAttemptParameters.uid(), mode(), ownChangeId);
        if (problem != null) {
            return problem;
        }
        KubeResponse itsCluster = siteClusters.machines.cluster(cluster);
        if (!(itsCluster instanceof KubeResponse.SuccessResponse successResponse)) {
            return "the cluster cannot be read: " + itsCluster.problem();
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

    /** Judges everything as it is now. */
    @Nullable
    String checkBeforeCall(ClusterKey cluster, String node, WorkloadQuery workloadQuery) {
        if (!clean || siteClusters.ticks.getAsLong() - judgedAt > AS_NOW_NANOS) {
            KubeResponse reply = siteClusters.machines.machine(upgradeAttemptParameters.key());
            if (!(reply instanceof KubeResponse.SuccessResponse successResponse)) {
                return reply.isMissing() ? "no such machine" : "the machine cannot be read: " + reply.problem();
            }
            AttemptAnnotation attemptAnnotation = AttemptAnnotation.onMachine(successResponse.object());
            if (attemptAnnotation == null
                    || !attemptAnnotation.belongsTo(
                            upgradeAttemptParameters.attemptId(), upgradeAttemptParameters.owner())) {
                return "the machine is in other hands";
            }
            String problem = judged(successResponse.object(), cluster);
            if (problem != null) {
                return problem;
            }
        }
        return peers(node, workloadQuery);
    }

    private @Nullable String peers(String node, WorkloadQuery workloadQuery) {
        String problem = workloadQuery.query(api -> upgradeAttemptParameters.role() == MachineRole.CONTROL_PLANE
                ? members(new WorkloadClusterClient(api), node)
                : workers(api, node));
        if (problem == null) {
            siteClusters.waiting.remove(upgradeAttemptParameters.key());
        } else {
            siteClusters.waiting.put(upgradeAttemptParameters.key(), problem);
        }
        return problem;
    }

    private @Nullable String workers(KubeApiClient api, String node) {
        return switch (new WorkloadClusterClient(api).listNodes()) {
            case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                "the nodes cannot be listed: " + nodeListFailed.reason();
            case WorkloadClusterClient.NodeListResult.NodesListed nodesListed -> {
                String problem = ClusterAvailability.checkWorkers(
                        node, nodesListed.nodes(), upgradeAttemptParameters.maxUnavailable());
                if (problem != null) {
                    uncordonWhatWasLeft(api, nodesListed.nodes());
                }
                yield problem;
            }
        };
    }

    /** Else a node that an attempt of long ago could not uncordon would count as away for ever. */
    private void uncordonWhatWasLeft(KubeApiClient api, List<NodeSnapshot> nodes) {
        for (NodeSnapshot left : nodes) {
            AttemptAnnotation attemptAnnotation = left.cordon();
            if (attemptAnnotation != null && attemptAnnotation.isOverdue(siteClusters.clock.instant())) {
                // Where it cannot be done, the next look tries again.
                new NodeCordoner(new WorkloadClusterClient(api))
                        .uncordonNode(left.name(), attemptAnnotation.attempt(), attemptAnnotation.owner(), null);
            }
        }
    }

    private @Nullable String members(WorkloadClusterClient workloadClusterClient, String node) {
        return switch (workloadClusterClient.listControlPlaneNodes()) {
            case WorkloadClusterClient.NodeListResult.NodeListFailed nodeListFailed ->
                "the control plane's nodes cannot be listed: " + nodeListFailed.reason();
            case WorkloadClusterClient.NodeListResult.NodesListed nodesListed -> {
                Map<String, Instant> renewed = new HashMap<>();
                for (NodeSnapshot member : nodesListed.nodes()) {
                    Instant at =
                            member.name().equals(node) ? null : workloadClusterClient.leaseRenewedAt(member.name());
                    if (at != null) {
                        renewed.put(member.name(), at);
                    }
                }
                String problem = ClusterAvailability.checkControlPlane(
                        node, nodesListed.nodes(), replicas, renewed, siteClusters.clock.instant());
                yield problem == null ? datastore(workloadClusterClient, node, nodesListed.nodes()) : problem;
            }
        };
    }

    /** A member whose datastore is dead has a kubelet that is well, and an API server that is not. */
    private static @Nullable String datastore(
            WorkloadClusterClient workloadClusterClient, String node, List<NodeSnapshot> members) {
        List<NodeSnapshot> others =
                members.stream().filter(member -> !member.name().equals(node)).toList();
        if (others.isEmpty()) {
            return null;
        }
        String sick = workloadClusterClient.datastoreProblem();
        return sick == null ? ClusterAvailability.checkApiServers(others, workloadClusterClient.apiAddresses()) : sick;
    }
}
