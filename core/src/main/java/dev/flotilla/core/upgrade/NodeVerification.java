package dev.flotilla.core.upgrade;

import dev.flotilla.core.upgrade.OutcomeState.KnownOutcome;
import dev.flotilla.core.upgrade.OutcomeState.VerifyingNode;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies by a node's state whether its change has succeeded.
 *
 * @param command the upgrade; null if only its cancellation is known
 * @param unknownOutcomeReason why the outcome of the call is unknown
 * @param revisionBeforeCall the revision that the node showed before the call, empty if it showed none; null if
 *     unknown
 */
record NodeVerification(
        UpgradeSafeguards safeguards,
        WorkerCommand.@Nullable UpgradeMachine command,
        String unknownOutcomeReason,
        @Nullable String revisionBeforeCall) {

    /** Judges a node on which no change is running. */
    VerificationResult verify(VerifyingNode verifyingNode, NodeInspection.ObservedNode node, ClockReading now) {
        long waited = now.monotonicMillis() - verifyingNode.since();
        if (provesTarget(verifyingNode, node)) {
            if (node.silentPeer() == null) {
                return new VerificationResult.AtTarget(
                        verifyingNode.knownOutcome() == KnownOutcome.UNCHANGED
                                ? SuccessProof.UNCHANGED
                                : SuccessProof.UPGRADED);
            }
            return waited <= UpgradeTimeouts.PEERS
                    ? new VerificationResult.StillPending()
                    : new VerificationResult.NotAtTarget(
                            FailureReason.NOT_AT_TARGET,
                            "the node shows revision " + node.revision() + ", but the k8sd of " + node.silentPeer()
                                    + " does not show its revision");
        }
        boolean outcomeKnown = verifyingNode.knownOutcome() != KnownOutcome.UNKNOWN;
        if (!node.ready()) {
            return outcomeKnown && waited > UpgradeTimeouts.READY
                    ? new VerificationResult.NotAtTarget(
                            FailureReason.NODE_NOT_READY, "the node is not Ready 15 min after the change")
                    : new VerificationResult.StillPending();
        }
        if (mayAwaitPeers(verifyingNode, node)) {
            return new VerificationResult.MayAwaitPeers();
        }
        return waited <= UpgradeTimeouts.TARGET
                ? new VerificationResult.StillPending()
                : describeFailure(verifyingNode, node);
    }

    /** The result for a node that has been Ready for long without proving its target. */
    VerificationResult describeFailure(VerifyingNode verifyingNode, NodeInspection.ObservedNode node) {
        String shows = "the node shows " + describeNode(node) + describeTarget();
        return switch (verifyingNode.knownOutcome()) {
            case DONE ->
                new VerificationResult.NotAtTarget(
                        FailureReason.NOT_AT_TARGET, "change " + verifyingNode.changeId() + " is done, " + shows);
            case LOST ->
                new VerificationResult.NotAtTarget(
                        FailureReason.CHANGE_LOST,
                        (isDelegated()
                                        ? "there is no NodeUpgrade " + verifyingNode.changeId()
                                        : "change " + verifyingNode.changeId() + " is no longer known to the node")
                                + ", " + shows);
            case UNCHANGED ->
                new VerificationResult.NotAtTarget(
                        FailureReason.NOT_AT_TARGET, "the node reports that there is nothing to do, " + shows);
            case UNKNOWN -> new VerificationResult.Undetermined(unknownOutcomeReason + ", " + shows);
        };
    }

    /** The message if the node's state has been unreadable for too long; otherwise null. */
    static @Nullable String describeUnreachable(
            VerifyingNode verifyingNode, NodeInspection nodeInspection, ClockReading now) {
        Long unreachableSince = verifyingNode.unreachableSince();
        return unreachableSince == null || now.monotonicMillis() - unreachableSince <= UpgradeTimeouts.SILENCE
                ? null
                : "the node's state could not be read for 30 min: "
                        + switch (nodeInspection) {
                            case NodeInspection.Unreachable unreachable -> unreachable.text();
                            case NodeInspection.MachineGone machineGone -> "no such machine";
                            case NodeInspection.ObservedNode node -> "another change is running on it";
                        };
    }

    /** The revision before the call, which a worker that continues the attempt needs; null if it needs none. */
    @Nullable
    String revisionToRecord() {
        return NodeTargetMatcher.revisionToRecord(command, revisionBeforeCall);
    }

    private boolean provesTarget(VerifyingNode verifyingNode, NodeInspection.ObservedNode node) {
        if (verifyingNode.knownOutcome() == KnownOutcome.DONE && !safeguards.requiresNodeProof()) {
            return true;
        }
        if (command == null || !node.ready()) {
            return false;
        }
        return switch (verifyingNode.knownOutcome()) {
            case DONE -> NodeTargetMatcher.isAtTargetAfterChange(node, command, revisionBeforeCall);
            case UNCHANGED -> NodeTargetMatcher.isAtTargetAfterChange(node, command, null);
            case LOST, UNKNOWN -> NodeTargetMatcher.isAtTarget(node, command);
        };
    }

    /**
     * Whether the node is a control-plane member that may be waiting for its peers: its kubelet then shows more than
     * its k8sd.
     */
    private boolean mayAwaitPeers(VerifyingNode verifyingNode, NodeInspection.ObservedNode node) {
        return node.revision() == null
                && verifyingNode.knownOutcome() != KnownOutcome.UNCHANGED
                && runsTarget(node, verifyingNode.changeId());
    }

    /**
     * Whether a control-plane member runs the target judged by its kubelet alone. If the target's version is unknown,
     * only a change that is known to be ours can tell.
     */
    boolean runsTarget(NodeInspection.ObservedNode node, @Nullable String changeId) {
        return command != null
                && UpgradeProvider.K8SD.canApply(command.target())
                && isMember()
                && node.ready()
                && NodeTargetMatcher.versionFits(node, command)
                && (NodeTargetMatcher.versionIsKnown(command) || (changeId != null && node.revision() == null));
    }

    /** What reports the status of the change. */
    String reporter() {
        return command == null || command.provider() == UpgradeProvider.K8SD ? "k8sd" : "the NodeUpgrade's controller";
    }

    /** Whether the node serves the cluster's API. */
    boolean isMember() {
        return command != null && command.role() == MachineRole.CONTROL_PLANE;
    }

    private String describeNode(NodeInspection.ObservedNode node) {
        if (command != null && !UpgradeProvider.K8SD.canApply(command.target())) {
            return (node.version() == null ? "no version" : "version " + node.version())
                    + describeComponents(node, command.target())
                    + (node.observedSpec() == null ? "" : ", its NodeUpgrade shows spec=" + node.observedSpec());
        }
        return (node.revision() == null ? "no revision" : "revision " + node.revision())
                + (node.version() == null ? "" : " and version " + node.version());
    }

    private static String describeComponents(NodeInspection.ObservedNode node, UpgradeTarget target) {
        List<String> differing = target instanceof UpgradeTarget.KubernetesRelease release
                ? NodeTargetMatcher.differingComponents(node, release.version())
                : List.of();
        return differing.isEmpty() ? "" : " and " + String.join(", ", differing);
    }

    /** Whether another controller makes the change, whose object has the attempt's name. */
    boolean isDelegated() {
        return command != null && command.provider() == UpgradeProvider.NODE_UPGRADE;
    }

    private String describeTarget() {
        if (command == null) {
            return "";
        }
        String resolvedRevision = command.resolvedRevision();
        return ", the target is " + command.target()
                + (resolvedRevision == null ? "" : ", which is revision " + resolvedRevision)
                + (command.expectedVersion() == null ? "" : ", version " + command.expectedVersion());
    }
}
