package dev.flotilla.nodeupgrader.decision;

import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;
import dev.flotilla.nodeupgrader.contract.UpgradePlace.NodeIdentity;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import dev.flotilla.nodeupgrader.report.NodeReport;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one NodeUpgrade. The order of writes holds the promise of one attempt: the phase Running is written before the Job is
 * created, so a Pending NodeUpgrade certainly has none and may fail at once. A Running one ends by a report that was read from the node,
 * and without one only when no step can run any more; its object is held until then: deleting it is an abort. An abort without a Job
 * creates a suspended one, so that nobody with an older view can start it.
 */
public final class NodeUpgradeDecider {
    /** A denial or a lost connection shorter than this may be the restart of an API server. */
    static final Duration RESTART_PATIENCE = Duration.ofSeconds(60);

    /** How long a cluster may be unreachable before nothing is started in it. */
    static final Duration UNREACHABLE_PATIENCE = Duration.ofMinutes(2);

    /** How long a step may take to begin and to end beyond its deadline and its timeout: clocks, pods and processes that are stopped. */
    static final Duration STEP_GRACE = Duration.ofMinutes(5);

    /** How far ahead a heartbeat is corrected. Less may be the difference between the clocks of two replicas. */
    static final Duration FUTURE_HEARTBEAT = Duration.ofMinutes(5);

    /** How often a status shows that the node is alive. */
    static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

    private NodeUpgradeDecider() {}

    /** Decides what is done next. */
    public static UpgradeDecision decide(NodeUpgrade nodeUpgrade, UpgradeObservation seen, Instant now) {
        NodeUpgradeStatus status = nodeUpgrade.status();
        if (status.phase().isFinal()) {
            return nodeUpgrade.isHeld() ? new UpgradeDecision.ReleaseObject() : new UpgradeDecision.Finished();
        }
        return switch (seen.plan()) {
            case PlanLookup.PlanFound planFound ->
                status.phase() == NodeUpgradePhase.PENDING
                        ? decidePending(nodeUpgrade, planFound.plan(), seen.workload(), now)
                        : decideRunning(nodeUpgrade, planFound.plan(), seen.workload(), now);
            case PlanLookup.PlanMissing planMissing ->
                decideWithoutPlan(
                        nodeUpgrade,
                        FailureReason.PLAN_NOT_FOUND,
                        "there is no UpgradePlan " + nodeUpgrade.plan() + " in namespace " + nodeUpgrade.namespace()
                                + "; create it, or name another in the NodeUpgradeTemplate");
            case PlanLookup.PlanRejected planRejected ->
                decideWithoutPlan(
                        nodeUpgrade,
                        FailureReason.PLAN_INVALID,
                        "UpgradePlan " + nodeUpgrade.plan() + ": " + planRejected.problem());
            case PlanLookup.PlanUnreadable planUnreadable -> new UpgradeDecision.WaitForChange();
        };
    }

    /** Once a Job may exist, a deleted plan stops nothing: its steps are in the Job. */
    private static UpgradeDecision decideWithoutPlan(NodeUpgrade nodeUpgrade, FailureReason reason, String message) {
        return nodeUpgrade.status().phase() == NodeUpgradePhase.PENDING
                ? new UpgradeDecision.WriteStatus(nodeUpgrade.status().failed(reason, message))
                : new UpgradeDecision.WaitForChange();
    }

    private static UpgradeDecision decidePending(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup workload, Instant now) {
        NodeUpgradeStatus status = nodeUpgrade.status();
        if (workload instanceof WorkloadLookup.WorkloadRead seen && seen.job() != JobState.NONE) {
            // The status was lost, for example by a restored backup. The Job continues, and only the node knows how it
            // ends.
            return becomeRunning(nodeUpgrade, plan, seen);
        }
        if (nodeUpgrade.abort()) {
            return new UpgradeDecision.WriteStatus(status.aborted("nothing was started on the node"));
        }
        if (!now.isBefore(nodeUpgrade.deadline())) {
            return fail(status, FailureReason.DEADLINE_EXCEEDED, "nothing was started before the deadline");
        }
        if (plan.stepsOf(nodeUpgrade).isEmpty()) {
            return decideWithoutSteps(nodeUpgrade, plan);
        }
        return switch (workload) {
            case WorkloadLookup.WorkloadUnreadable workloadUnreadable -> decideUnreadable(status, workloadUnreadable);
            case WorkloadLookup.WorkloadRead workloadRead -> {
                FailedPrecondition failed = findFailedPrecondition(nodeUpgrade, plan, workloadRead);
                if (failed != null) {
                    yield fail(status, failed.reason(), failed.message());
                }
                yield becomeRunning(nodeUpgrade, plan, workloadRead);
            }
        };
    }

    private static UpgradeDecision becomeRunning(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup.WorkloadRead workload) {
        NodeIdentity node = workload.node();
        return nodeUpgrade.isHeld() && nodeUpgrade.place() != null
                ? new UpgradeDecision.WriteStatus(nodeUpgrade
                        .status()
                        .in(NodeUpgradePhase.RUNNING)
                        .withSteps(StepStatusBuilder.initialSteps(plan, nodeUpgrade), null))
                : new UpgradeDecision.HoldObject(
                        new UpgradePlace(plan.jobNamespace(), node == null ? new NodeIdentity("", "") : node));
    }

    /** A plan that prepares nothing leaves nothing to do ahead of the upgrade. */
    private static UpgradeDecision decideWithoutSteps(NodeUpgrade nodeUpgrade, UpgradePlan plan) {
        return nodeUpgrade.onlyPrepares()
                ? new UpgradeDecision.WriteStatus(nodeUpgrade
                        .status()
                        .in(NodeUpgradePhase.SUCCEEDED)
                        .withSteps(StepStatusBuilder.initialSteps(plan, nodeUpgrade), null))
                : fail(
                        nodeUpgrade.status(),
                        FailureReason.PLAN_INVALID,
                        "UpgradePlan " + nodeUpgrade.plan() + " has no step for the role "
                                + nodeUpgrade.role().label());
    }

    private record FailedPrecondition(FailureReason reason, String message) {}

    private static @Nullable FailedPrecondition findFailedPrecondition(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup.WorkloadRead workload) {
        if (workload.jobNamespaceProblem() != null) {
            return new FailedPrecondition(
                    FailureReason.NAMESPACE_NOT_READY,
                    "namespace " + plan.jobNamespace() + " of cluster " + nodeUpgrade.clusterName() + " "
                            + workload.jobNamespaceProblem()
                            + "; apply deploy/node-upgrader/rbac-workload.yaml in that cluster");
        }
        if (workload.kubeletVersion() == null) {
            return new FailedPrecondition(
                    FailureReason.NODE_NOT_FOUND,
                    "cluster " + nodeUpgrade.clusterName() + " has no Node " + nodeUpgrade.node());
        }
        if (isReplaced(nodeUpgrade, workload)) {
            return new FailedPrecondition(FailureReason.NODE_REPLACED, describeReplaced(nodeUpgrade));
        }
        return workload.onlyReplica() == null || nodeUpgrade.onlyPrepares()
                ? null
                : new FailedPrecondition(
                        FailureReason.ONLY_REPLICA,
                        "pod " + workload.onlyReplica()
                                + " on the node is the only replica of a part of Flotilla; run two"
                                + " replicas of it on different nodes, or move it; if it is no part of Flotilla,"
                                + " remove its label app.kubernetes.io/part-of or delete it");
    }

    private static boolean isReplaced(NodeUpgrade nodeUpgrade, WorkloadLookup.WorkloadRead workload) {
        UpgradePlace place = nodeUpgrade.place();
        NodeIdentity node = workload.node();
        return place != null && node != null && node.isOtherThan(place.node());
    }

    private static String describeReplaced(NodeUpgrade nodeUpgrade) {
        return "another machine has registered as Node " + nodeUpgrade.node()
                + " since the upgrade began (its systemUUID is another one); nothing was started on that one";
    }

    private static UpgradeDecision decideUnreadable(
            NodeUpgradeStatus status, WorkloadLookup.WorkloadUnreadable workload) {
        if (workload.forbidden() && workload.since().compareTo(RESTART_PATIENCE) >= 0) {
            return fail(
                    status,
                    FailureReason.FORBIDDEN,
                    workload.problem() + "; apply deploy/node-upgrader/rbac-workload.yaml in that cluster");
        }
        return !workload.forbidden() && workload.since().compareTo(UNREACHABLE_PATIENCE) >= 0
                ? fail(status, FailureReason.CLUSTER_UNREACHABLE, workload.problem())
                : new UpgradeDecision.WaitForChange();
    }

    private static UpgradeDecision decideRunning(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup workload, Instant now) {
        if (!(workload instanceof WorkloadLookup.WorkloadRead seen)) {
            return decideUnreadableWhileRunning(nodeUpgrade, plan, workload, now);
        }
        if (plan.stepsOf(nodeUpgrade).isEmpty()) {
            return waitForPlan(nodeUpgrade, plan, seen, now);
        }
        if (isReplaced(nodeUpgrade, seen)) {
            return endOnReplacedNode(nodeUpgrade, seen);
        }
        if (seen.kubeletVersion() == null && seen.job() != JobState.ACTIVE && !seen.activePods()) {
            return endUnread(
                    nodeUpgrade,
                    plan,
                    FailureReason.NODE_NOT_FOUND,
                    "cluster " + nodeUpgrade.clusterName() + " has no Node " + nodeUpgrade.node()
                            + " any more, so the result of the upgrade cannot be read",
                    now);
        }
        boolean stops = nodeUpgrade.abort() || !now.isBefore(nodeUpgrade.deadline());
        return switch (seen.job()) {
            case NONE -> new UpgradeDecision.CreateJob(stops);
            case ACTIVE -> stops ? new UpgradeDecision.SuspendJob() : showProgress(nodeUpgrade, plan, seen);
            case SUSPENDED ->
                stops && !seen.activePods()
                        ? decideByResult(nodeUpgrade, plan, seen, now)
                        : showProgress(nodeUpgrade, plan, seen);
            case COMPLETE, FAILED -> decideByResult(nodeUpgrade, plan, seen, now);
        };
    }

    /** The plan is gone, or was edited and has no step any more for this node, and there is no Job that knows the steps. */
    private static UpgradeDecision waitForPlan(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup.WorkloadRead seen, Instant now) {
        return seen.job() != JobState.NONE || seen.activePods()
                ? new UpgradeDecision.WaitForChange()
                : endUnread(
                        nodeUpgrade,
                        plan,
                        FailureReason.PLAN_NOT_FOUND,
                        "UpgradePlan " + nodeUpgrade.plan() + " is gone, invalid, or without a step for the role "
                                + nodeUpgrade.role().label()
                                + ", and no Job has its steps, so what ran on the node is not known; correct the plan",
                        now);
    }

    private static UpgradeDecision decideUnreadableWhileRunning(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup workload, Instant now) {
        // A single node's API server may be away because of this upgrade. A cluster without its Cluster object may have
        // moved to another management cluster, and its steps go on.
        return workload instanceof WorkloadLookup.WorkloadUnreadable unreadable
                        && unreadable.clusterDeleted()
                        && unreadable.since().compareTo(UNREACHABLE_PATIENCE) >= 0
                ? endUnread(
                        nodeUpgrade,
                        plan,
                        FailureReason.CLUSTER_DELETED,
                        "there is no Cluster " + nodeUpgrade.clusterName() + " in namespace " + nodeUpgrade.namespace()
                                + " any more, so what ran on the node is not known: " + unreadable.problem(),
                        now)
                : new UpgradeDecision.WaitForChange();
    }

    /** Ends an upgrade whose result the node cannot tell, once no step can run there any more. */
    private static UpgradeDecision endUnread(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, FailureReason reason, String message, Instant now) {
        long longestStep = plan.stepsOf(nodeUpgrade).stream()
                .mapToLong(step -> step.reboots() ? 2 * step.timeoutSeconds() : step.timeoutSeconds())
                .max()
                .orElse(0);
        Instant end = nodeUpgrade.deadline().plusSeconds(longestStep).plus(STEP_GRACE);
        return now.isBefore(end) ? new UpgradeDecision.WaitForChange() : end(nodeUpgrade, reason, message);
    }

    private static UpgradeDecision end(NodeUpgrade nodeUpgrade, FailureReason reason, String message) {
        return nodeUpgrade.abort()
                ? new UpgradeDecision.WriteStatus(nodeUpgrade.status().aborted(message))
                : fail(nodeUpgrade.status(), reason, message);
    }

    private static UpgradeDecision endOnReplacedNode(NodeUpgrade nodeUpgrade, WorkloadLookup.WorkloadRead seen) {
        if (seen.job() == JobState.ACTIVE) {
            return new UpgradeDecision.SuspendJob();
        }
        if (seen.activePods()) {
            return new UpgradeDecision.WaitForChange();
        }
        return end(nodeUpgrade, FailureReason.NODE_REPLACED, describeReplaced(nodeUpgrade));
    }

    private static UpgradeDecision showProgress(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup.WorkloadRead seen) {
        NodeUpgradeStatus before = nodeUpgrade.status();
        NodeReport progress = seen.progress();
        if (seen.imageProblem() != null) {
            return showImageProblem(before, seen.imageProblem());
        }
        if (progress == null) {
            return new UpgradeDecision.WaitForChange();
        }
        NodeUpgradeStatus after =
                StepStatusBuilder.apply(nodeUpgrade, plan, progress).in(before.phase());
        Instant shown = before.lastHeartbeat();
        boolean isDue = shown == null
                || !progress.at().isBefore(shown.plus(HEARTBEAT_INTERVAL))
                // A heartbeat of the future would hide a silence until then.
                || shown.isAfter(progress.at().plus(FUTURE_HEARTBEAT));
        return isDue || !after.steps().equals(before.steps()) || before.failureReason() != null
                ? new UpgradeDecision.WriteStatus(after)
                : new UpgradeDecision.WaitForChange();
    }

    /** The kubelet words one problem in several ways in turn, so it is written once. */
    private static UpgradeDecision showImageProblem(NodeUpgradeStatus before, String problem) {
        return FailureReason.IMAGE_NOT_PULLED.label().equals(before.failureReason())
                ? new UpgradeDecision.WaitForChange()
                : new UpgradeDecision.WriteStatus(before.waitingFor(FailureReason.IMAGE_NOT_PULLED, problem));
    }

    private static UpgradeDecision decideByResult(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, WorkloadLookup.WorkloadRead seen, Instant now) {
        return switch (seen.resultPod()) {
            case ResultPodState.NoResultPod noResultPod -> new UpgradeDecision.CreateResultPod();
            case ResultPodState.ResultPodPending resultPodPending ->
                decideWithoutResult(nodeUpgrade, plan, seen, resultPodPending, now);
            case ResultPodState.ResultPodFailed resultPodFailed -> new UpgradeDecision.DeleteResultPod();
            case ResultPodState.ResultReported resultReported ->
                ResultDecider.decide(nodeUpgrade, plan, seen, resultReported);
        };
    }

    private static UpgradeDecision decideWithoutResult(
            NodeUpgrade nodeUpgrade,
            UpgradePlan plan,
            WorkloadLookup.WorkloadRead seen,
            ResultPodState.ResultPodPending pending,
            Instant now) {
        String problem = seen.imageProblem();
        if (problem != null) {
            UpgradeDecision end = endUnread(nodeUpgrade, plan, FailureReason.IMAGE_NOT_PULLED, problem, now);
            if (end instanceof UpgradeDecision.WriteStatus) {
                return end;
            }
        }
        if (pending.age().compareTo(ResultDecider.POD_TIMEOUT) >= 0) {
            return new UpgradeDecision.DeleteResultPod();
        }
        return problem == null ? new UpgradeDecision.WaitForChange() : showImageProblem(nodeUpgrade.status(), problem);
    }

    private static UpgradeDecision fail(NodeUpgradeStatus status, FailureReason reason, String message) {
        return new UpgradeDecision.WriteStatus(status.failed(reason, message));
    }
}
