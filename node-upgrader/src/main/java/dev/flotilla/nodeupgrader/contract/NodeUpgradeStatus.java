package dev.flotilla.nodeupgrader.contract;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a NodeUpgrade.
 *
 * @param failureReason the label of a {@link FailureReason}, also of a problem that may end by itself; null without one
 * @param retryable whether another attempt may succeed; null without a failure
 * @param lastHeartbeat the latest time at which the node itself reported
 */
public record NodeUpgradeStatus(
        NodeUpgradePhase phase,
        @Nullable String failureReason,
        @Nullable Boolean retryable,
        @Nullable String failureMessage,
        List<StepStatus> steps,
        @Nullable String observedVersion,
        @Nullable String observedSpec,
        @Nullable Instant lastHeartbeat) {
    /** The maximum length of a message in the CRD. */
    private static final int MAX_MESSAGE = 1024;

    public NodeUpgradeStatus {
        steps = List.copyOf(steps);
    }

    static NodeUpgradeStatus read(KubeObject status) {
        return new NodeUpgradeStatus(
                NodeUpgradePhase.of(status.text("phase")),
                status.text("failureReason"),
                status.has("retryable") ? status.bool("retryable") : null,
                status.text("failureMessage"),
                status.list("steps").stream().map(NodeUpgradeStatus::readStep).toList(),
                status.text("observedVersion"),
                status.text("observedSpec"),
                status.instant("lastHeartbeat"));
    }

    private static StepStatus readStep(KubeObject step) {
        String name = step.text("name");
        StepState state = StepState.find(step.text("state"));
        return new StepStatus(
                name == null ? "" : name,
                state == null ? StepState.WAITING : state,
                step.instant("since"),
                step.number("exitCode"));
    }

    /** Returns this status in another phase, without a problem. */
    public NodeUpgradeStatus in(NodeUpgradePhase next) {
        return new NodeUpgradeStatus(next, null, null, null, steps, observedVersion, observedSpec, lastHeartbeat);
    }

    /** Returns this status with a problem that may end by itself. */
    public NodeUpgradeStatus waitingFor(FailureReason problem, String message) {
        return new NodeUpgradeStatus(
                phase,
                problem.label(),
                null,
                RedactedText.truncate(message, MAX_MESSAGE),
                steps,
                observedVersion,
                observedSpec,
                lastHeartbeat);
    }

    /** Returns this status with what a node has reported. */
    public NodeUpgradeStatus withSteps(List<StepStatus> reported, @Nullable Instant at) {
        return new NodeUpgradeStatus(
                phase,
                failureReason,
                retryable,
                failureMessage,
                reported,
                observedVersion,
                observedSpec,
                at == null ? lastHeartbeat : at);
    }

    /** Returns this status with what was observed of the node. */
    public NodeUpgradeStatus withObserved(@Nullable String version, @Nullable String spec) {
        return new NodeUpgradeStatus(
                phase, failureReason, retryable, failureMessage, steps, version, spec, lastHeartbeat);
    }

    /** Returns this status as a failure. */
    public NodeUpgradeStatus failed(FailureReason reason, String message) {
        return new NodeUpgradeStatus(
                NodeUpgradePhase.FAILED,
                reason.label(),
                reason.isRetryable(),
                RedactedText.truncate(message, MAX_MESSAGE),
                steps,
                observedVersion,
                observedSpec,
                lastHeartbeat);
    }

    /** Returns this status as aborted. */
    public NodeUpgradeStatus aborted(String message) {
        return new NodeUpgradeStatus(
                NodeUpgradePhase.ABORTED,
                null,
                null,
                RedactedText.truncate(message, MAX_MESSAGE),
                steps,
                observedVersion,
                observedSpec,
                lastHeartbeat);
    }
}
