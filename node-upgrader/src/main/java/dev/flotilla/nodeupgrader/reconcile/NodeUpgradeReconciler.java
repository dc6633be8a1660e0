package dev.flotilla.nodeupgrader.reconcile;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeReader;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeReader.NodeUpgradeReadResult;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.UpgradePlace;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader;
import dev.flotilla.nodeupgrader.contract.UpgradePlanReader.PlanReadResult;
import dev.flotilla.nodeupgrader.decision.NodeUpgradeDecider;
import dev.flotilla.nodeupgrader.decision.UpgradeDecision;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.PlanLookup;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Takes one NodeUpgrade one decision further. It keeps nothing: everything is read again. */
public final class NodeUpgradeReconciler {
    private final KubeApiClient management;
    private final WorkloadClusters workloadClusters;
    private final StatusWriter statusWriter;
    private final EndedUpgradeRemover endedUpgradeRemover;
    private final InstantSource clock;
    private final UpgraderListener listener;

    public NodeUpgradeReconciler(
            KubeApiClient management,
            WorkloadClusters workloadClusters,
            EndedUpgradeRemover endedUpgradeRemover,
            InstantSource clock,
            UpgraderListener listener) {
        this.management = management;
        this.workloadClusters = workloadClusters;
        this.endedUpgradeRemover = endedUpgradeRemover;
        this.statusWriter = new StatusWriter(management);
        this.clock = clock;
        this.listener = listener;
    }

    /** What follows a reconciliation. */
    enum NextStep {
        /** Something was written, so that there may be more to do. */
        CONTINUE,
        /** Something outside must change first. */
        WAIT,
        /** A request has failed. */
        RETRY,
        /** The NodeUpgrade has ended or does not exist. */
        CLOSE
    }

    /** Reads a NodeUpgrade, decides, and performs the decision. */
    NextStep reconcile(String namespace, String name) {
        String key = namespace + "/" + name;
        NextStep next = reconcile(key, namespace, name);
        if (next == NextStep.CLOSE) {
            workloadClusters.forget(key);
        }
        return next;
    }

    private NextStep reconcile(String key, String namespace, String name) {
        KubeResponse read = management.get(StatusWriter.path(namespace, name));
        if (read.isMissing()) {
            return NextStep.CLOSE;
        }
        if (!(read instanceof KubeResponse.SuccessResponse successResponse)) {
            listener.requestFailed(key, read.problem());
            return NextStep.RETRY;
        }
        if (endedUpgradeRemover.isDue(successResponse.object())) {
            endedUpgradeRemover.remove(successResponse.object());
            return NextStep.CLOSE;
        }
        return switch (NodeUpgradeReader.read(successResponse.object())) {
            case NodeUpgradeReadResult.InvalidNodeUpgrade invalid -> reject(successResponse.object(), invalid);
            case NodeUpgradeReadResult.ValidNodeUpgrade valid -> advance(key, valid.nodeUpgrade());
        };
    }

    private NextStep reject(KubeObject object, NodeUpgradeReadResult.InvalidNodeUpgrade invalid) {
        NodeUpgradeStatus before = invalid.status();
        String key = object.namespace() + "/" + object.name();
        if (before.phase().isFinal()) {
            return NodeUpgrade.isHeld(object)
                    ? handleFinalizer(key, statusWriter.removeFinalizer(object), NextStep.CLOSE)
                    : NextStep.CLOSE;
        }
        if (before.phase() == NodeUpgradePhase.RUNNING) {
            listener.requestFailed(
                    key,
                    invalid.problem()
                            + ", so it is not known where its steps run; correct the spec, or, if nothing of it"
                            + " runs on the node any more, remove the finalizer " + NodeUpgrade.FINALIZER);
            return NextStep.WAIT;
        }
        Long generation = object.number("metadata", "generation");
        NodeUpgradeStatus after = before.failed(FailureReason.INVALID_SPEC, invalid.problem());
        KubeResponse written = statusWriter.write(
                object.namespace(),
                object.name(),
                object.resourceVersion(),
                generation == null ? 0 : generation,
                after);
        return handleWrite(key, before, after, written);
    }

    private NextStep advance(String key, NodeUpgrade nodeUpgrade) {
        PlanLookup plan = nodeUpgrade.status().phase().isFinal()
                ? new PlanLookup.PlanUnreadable()
                : atPlace(readPlan(key, nodeUpgrade), nodeUpgrade);
        UpgradeObservation seen = plan instanceof PlanLookup.PlanFound planFound
                ? workloadClusters.observe(nodeUpgrade, planFound.plan())
                : new UpgradeObservation(
                        plan,
                        new WorkloadLookup.WorkloadUnreadable("the plan is not known", false, false, Duration.ZERO));
        if (plan instanceof PlanLookup.PlanFound
                && seen.workload() instanceof WorkloadLookup.WorkloadUnreadable workloadUnreadable) {
            listener.requestFailed(key, workloadUnreadable.problem());
        }
        UpgradeDecision decision = NodeUpgradeDecider.decide(nodeUpgrade, seen, clock.instant());
        listener.decided(nodeUpgrade, decision);
        return perform(key, nodeUpgrade, seen.plan(), decision);
    }

    private NextStep perform(String key, NodeUpgrade nodeUpgrade, PlanLookup plan, UpgradeDecision decision) {
        return switch (decision) {
            case UpgradeDecision.Finished finished -> NextStep.CLOSE;
            case UpgradeDecision.WaitForChange waitForChange -> NextStep.WAIT;
            case UpgradeDecision.WriteStatus writeStatus ->
                handleWrite(
                        key,
                        nodeUpgrade.status(),
                        writeStatus.status(),
                        statusWriter.write(
                                nodeUpgrade.namespace(),
                                nodeUpgrade.name(),
                                nodeUpgrade.resourceVersion(),
                                nodeUpgrade.generation(),
                                writeStatus.status()));
            case UpgradeDecision.HoldObject holdObject ->
                handleFinalizer(key, statusWriter.writeFinalizer(nodeUpgrade, holdObject.place()), NextStep.CONTINUE);
            case UpgradeDecision.ReleaseObject releaseObject ->
                handleFinalizer(key, statusWriter.writeFinalizer(nodeUpgrade, null), NextStep.CLOSE);
            case UpgradeDecision.CreateJob createJob -> performInCluster(key, nodeUpgrade, plan, createJob);
            case UpgradeDecision.SuspendJob suspendJob -> performInCluster(key, nodeUpgrade, plan, suspendJob);
            case UpgradeDecision.CreateResultPod createResultPod ->
                performInCluster(key, nodeUpgrade, plan, createResultPod);
            case UpgradeDecision.DeleteResultPod deleteResultPod ->
                performInCluster(key, nodeUpgrade, plan, deleteResultPod);
        };
    }

    private NextStep performInCluster(String key, NodeUpgrade nodeUpgrade, PlanLookup plan, UpgradeDecision decision) {
        if (!(plan instanceof PlanLookup.PlanFound planFound)) {
            return NextStep.WAIT;
        }
        String problem = workloadClusters.perform(nodeUpgrade, planFound.plan(), decision);
        if (problem != null) {
            listener.requestFailed(key, problem);
            return NextStep.RETRY;
        }
        return NextStep.CONTINUE;
    }

    private NextStep handleWrite(String key, NodeUpgradeStatus before, NodeUpgradeStatus after, KubeResponse written) {
        if (written instanceof KubeResponse.SuccessResponse) {
            listener.statusWritten(key, before, after);
            return NextStep.CONTINUE;
        }
        return handleFailedWrite(key, written);
    }

    private NextStep handleFinalizer(String key, KubeResponse written, NextStep next) {
        return written instanceof KubeResponse.SuccessResponse ? next : handleFailedWrite(key, written);
    }

    private NextStep handleFailedWrite(String key, KubeResponse written) {
        if (written instanceof KubeResponse.ErrorResponse errorResponse
                && errorResponse.status() == KubeResponse.CONFLICT) {
            return NextStep.CONTINUE;
        }
        listener.requestFailed(key, written.problem());
        return written.isMissing() ? NextStep.CLOSE : NextStep.RETRY;
    }

    /** Where a Job may exist it is looked for, and it knows the plan that it was created from. */
    private static PlanLookup atPlace(PlanLookup plan, NodeUpgrade nodeUpgrade) {
        UpgradePlace place = nodeUpgrade.place();
        if (place == null || nodeUpgrade.status().phase() != NodeUpgradePhase.RUNNING) {
            return plan;
        }
        return switch (plan) {
            case PlanLookup.PlanFound planFound ->
                new PlanLookup.PlanFound(planFound.plan().in(place.jobNamespace()));
            case PlanLookup.PlanMissing planMissing ->
                new PlanLookup.PlanFound(new UpgradePlan(place.jobNamespace(), List.of()));
            case PlanLookup.PlanRejected planRejected ->
                new PlanLookup.PlanFound(new UpgradePlan(place.jobNamespace(), List.of()));
            case PlanLookup.PlanUnreadable planUnreadable -> plan;
        };
    }

    private PlanLookup readPlan(String key, NodeUpgrade nodeUpgrade) {
        KubeResponse read = management.get(KubeApiPath.groupObject(
                StatusWriter.VERSION, nodeUpgrade.namespace(), "upgradeplans", nodeUpgrade.plan()));
        if (read instanceof KubeResponse.SuccessResponse successResponse) {
            return switch (UpgradePlanReader.read(successResponse.object())) {
                case PlanReadResult.ValidPlan validPlan -> new PlanLookup.PlanFound(validPlan.plan());
                case PlanReadResult.InvalidPlan invalidPlan -> new PlanLookup.PlanRejected(invalidPlan.problem());
            };
        }
        if (read.isMissing()) {
            return new PlanLookup.PlanMissing();
        }
        listener.requestFailed(key, "UpgradePlan " + nodeUpgrade.plan() + " cannot be read: " + read.problem());
        return new PlanLookup.PlanUnreadable();
    }
}
