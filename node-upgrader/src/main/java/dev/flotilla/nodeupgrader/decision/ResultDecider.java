package dev.flotilla.nodeupgrader.decision;

import dev.flotilla.nodeupgrader.contract.FailureReason;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.nodeupgrader.contract.NodeUpgradeStatus;
import dev.flotilla.nodeupgrader.contract.PlanStep;
import dev.flotilla.nodeupgrader.contract.StepState;
import dev.flotilla.nodeupgrader.contract.UpgradePlan;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.JobState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.ResultPodState;
import dev.flotilla.nodeupgrader.decision.UpgradeObservation.WorkloadLookup;
import dev.flotilla.nodeupgrader.report.NodeReport;
import dev.flotilla.nodeupgrader.report.StepReport;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides by the report that was read from the node after the Job, which says more than the Job's conditions. */
final class ResultDecider {
    /** How many times a step is tried; {@code step.sh} counts them. */
    static final int MAX_TRIES = 3;

    /** How old a report of a step that runs may become before the node is read again. */
    static final Duration REREAD_INTERVAL = Duration.ofSeconds(10);

    /** How long a pod may take that only reads files. */
    static final Duration POD_TIMEOUT = Duration.ofMinutes(2);

    /** How long a kubelet may take to show its version after the last step. */
    static final Duration VERSION_PATIENCE = Duration.ofMinutes(5);

    private static final long KILLED = 137;

    private ResultDecider() {}

    static UpgradeDecision decide(
            NodeUpgrade nodeUpgrade,
            UpgradePlan plan,
            WorkloadLookup.WorkloadRead seen,
            ResultPodState.ResultReported result) {
        NodeReport report = result.report();
        NodeUpgradeStatus status = StepStatusBuilder.apply(nodeUpgrade, plan, report);
        if (report.firstIn(StepState.RUNNING).isPresent()) {
            // It runs outside of the Job's pods, and ends by itself.
            return status.steps().equals(nodeUpgrade.status().steps())
                    ? readAgain(result)
                    : new UpgradeDecision.WriteStatus(status);
        }
        Optional<StepReport> failed = report.firstIn(StepState.FAILED);
        boolean stopped = nodeUpgrade.abort() || seen.job() == JobState.SUSPENDED;
        if (failed.isPresent() && !(stopped && mayBeTriedAgain(plan, failed.get()))) {
            return new UpgradeDecision.WriteStatus(failByStep(nodeUpgrade, plan, status, failed.get(), report));
        }
        return report.isComplete() && !report.steps().isEmpty()
                ? decideByVersion(nodeUpgrade, status, seen.kubeletVersion(), result)
                : new UpgradeDecision.WriteStatus(endBetweenSteps(nodeUpgrade, status, seen.job(), report));
    }

    private static UpgradeDecision readAgain(ResultPodState.ResultReported result) {
        return result.age().compareTo(REREAD_INTERVAL) < 0
                ? new UpgradeDecision.WaitForChange()
                : new UpgradeDecision.DeleteResultPod();
    }

    private static boolean mayBeTriedAgain(UpgradePlan plan, StepReport step) {
        return step.tries() < MAX_TRIES && !isCode(plan, step, true);
    }

    private static boolean isCode(UpgradePlan plan, StepReport step, boolean permanent) {
        Long code = step.exitCode();
        PlanStep planStep = plan.step(step.name()).orElse(null);
        return code != null
                && planStep != null
                && (permanent ? planStep.permanentExitCodes() : planStep.retryableExitCodes()).contains(code);
    }

    private static NodeUpgradeStatus failByStep(
            NodeUpgrade nodeUpgrade, UpgradePlan plan, NodeUpgradeStatus status, StepReport step, NodeReport report) {
        // A step that was killed says nothing about whether it could succeed.
        boolean retryable = isCode(plan, step, false) || step.exitCode() == null || step.exitCode() == KILLED;
        return status.failed(
                retryable ? FailureReason.STEP_FAILED_RETRYABLY : FailureReason.STEP_FAILED,
                "step " + step.name() + " has ended with exit code " + step.exitCode() + " in try " + step.tries()
                        + (report.message().isEmpty() ? "" : ": " + report.message())
                        + "; its output is in /var/lib/flotilla/node-upgrades/" + nodeUpgrade.name() + "/"
                        + step.name() + "/" + step.tries() + "/log on node " + nodeUpgrade.node());
    }

    private static UpgradeDecision decideByVersion(
            NodeUpgrade nodeUpgrade,
            NodeUpgradeStatus status,
            @Nullable String kubeletVersion,
            ResultPodState.ResultReported result) {
        if (nodeUpgrade.onlyPrepares()) {
            return new UpgradeDecision.WriteStatus(
                    status.withObserved(kubeletVersion, null).in(NodeUpgradePhase.SUCCEEDED));
        }
        String wanted = nodeUpgrade.targetVersion();
        if (wanted == null || wanted.equals(kubeletVersion)) {
            return new UpgradeDecision.WriteStatus(status.withObserved(kubeletVersion, nodeUpgrade.targetSpec())
                    .in(NodeUpgradePhase.SUCCEEDED));
        }
        return result.age().compareTo(VERSION_PATIENCE) < 0
                ? new UpgradeDecision.WaitForChange()
                : new UpgradeDecision.WriteStatus(status.withObserved(kubeletVersion, null)
                        .failed(
                                FailureReason.VERSION_NOT_REACHED,
                                "all steps have succeeded, but Node " + nodeUpgrade.node() + " has kubelet version "
                                        + kubeletVersion + " and not " + wanted));
    }

    private static NodeUpgradeStatus endBetweenSteps(
            NodeUpgrade nodeUpgrade, NodeUpgradeStatus status, JobState job, NodeReport report) {
        String where = describePosition(report);
        if (nodeUpgrade.abort()) {
            return status.aborted(where);
        }
        return job == JobState.SUSPENDED
                ? status.failed(FailureReason.DEADLINE_EXCEEDED, where)
                : status.failed(
                        FailureReason.JOB_ENDED,
                        where + "; the Job has ended, which its pods in the workload cluster explain");
    }

    private static String describePosition(NodeReport report) {
        StringBuilder text = new StringBuilder();
        String last = null;
        for (StepReport step : report.steps()) {
            if (step.state() == StepState.SUCCEEDED) {
                last = step.name();
            } else {
                text.append(last == null ? "stopped before step " : "stopped after step " + last + ", before ")
                        .append(step.name());
                if (step.exitCode() != null) {
                    text.append(", whose try ")
                            .append(step.tries())
                            .append(" has ended with exit code ")
                            .append(step.exitCode());
                }
                return text.toString();
            }
        }
        return "stopped before the first step";
    }
}
