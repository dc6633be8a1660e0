package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.OutcomeState.KnownOutcome;
import dev.flotilla.core.procedure.OutcomeState.VerifyingNode;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WorkerCommand;
import org.jspecify.annotations.Nullable;

/**
 * What a node proves after its change.
 *
 * @param command what was asked for; null where only its withdrawal is known
 * @param doubt why nobody knows what came of the call
 * @param revisionBeforeCall the revision that the node showed before the call, empty where it showed none; null where nobody remembers
 */
record NodeVerification(
        UpgradeSafeguards caution,
        WorkerCommand.@Nullable UpgradeMachine command,
        String doubt,
        @Nullable String revisionBeforeCall) {

    /** What a node shows that no change is at work on. */
    VerificationResult verify(VerifyingNode verifyingNode, NodeInspection.ObservedNode node, ClockReading now) {
        long waited = now.monotonicMillis() - verifyingNode.since();
        if (proves(verifyingNode, node)) {
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
                            "the node shows " + node.revision() + ", and the k8sd of " + node.silentPeer()
                                    + " does not show what runs there");
        }
        boolean known = verifyingNode.knownOutcome() != KnownOutcome.UNKNOWN;
        if (!node.ready()) {
            return known && waited > UpgradeTimeouts.READY
                    ? new VerificationResult.NotAtTarget(
                            FailureReason.NODE_NOT_READY, "not Ready long after the change")
                    : new VerificationResult.StillPending();
        }
        if (maySpeakForItself(verifyingNode, node)) {
            return new VerificationResult.MayAwaitPeers();
        }
        return waited <= UpgradeTimeouts.TARGET ? new VerificationResult.StillPending() : missed(verifyingNode, node);
    }

    /** What is said of one that has been Ready for long and does not prove anything. */
    VerificationResult missed(VerifyingNode verifyingNode, NodeInspection.ObservedNode node) {
        String shows = "the node shows " + shown(node) + wanted();
        return switch (verifyingNode.knownOutcome()) {
            case DONE ->
                new VerificationResult.NotAtTarget(
                        FailureReason.NOT_AT_TARGET, "change " + verifyingNode.changeId() + " is done, " + shows);
            case LOST ->
                new VerificationResult.NotAtTarget(
                        FailureReason.CHANGE_LOST,
                        "change " + verifyingNode.changeId() + " is not known to the node any more, " + shows);
            case UNCHANGED ->
                new VerificationResult.NotAtTarget(
                        FailureReason.NOT_AT_TARGET, "the node says that there is nothing to do, " + shows);
            case UNKNOWN -> new VerificationResult.Undetermined(doubt + ", " + shows);
        };
    }

    /** What there is to say of a node that cannot be seen, where that lasts; else null. */
    static @Nullable String describeUnreachable(
            VerifyingNode verifyingNode, NodeInspection nodeInspection, ClockReading now) {
        Long dark = verifyingNode.unreachableSince();
        return dark == null || now.monotonicMillis() - dark <= UpgradeTimeouts.SILENCE
                ? null
                : "the node has not been seen for long: "
                        + switch (nodeInspection) {
                            case NodeInspection.Unreachable it -> it.text();
                            case NodeInspection.MachineGone machineGone -> "no such machine";
                            case NodeInspection.ObservedNode node -> "another change is at work on it";
                        };
    }

    /** What whoever goes on must know of the node as it was; null for nothing. */
    @Nullable
    String remembered() {
        return command != null && NodeTargetMatcher.needsRevisionBeforeCall(command) ? revisionBeforeCall : null;
    }

    private boolean proves(VerifyingNode verifyingNode, NodeInspection.ObservedNode node) {
        if (verifyingNode.knownOutcome() == KnownOutcome.DONE && !caution.requiresNodeProof()) {
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

    /** Whether it is a member that may wait for its peers. Its kubelet says more than its k8sd then. */
    private boolean maySpeakForItself(VerifyingNode verifyingNode, NodeInspection.ObservedNode node) {
        return node.revision() == null
                && verifyingNode.knownOutcome() != KnownOutcome.UNCHANGED
                && runsTarget(node, verifyingNode.changeId());
    }

    /**
     * Whether a member runs what it should by its kubelet alone. Where nobody has said which version that is, only a change
     * that is known to be ours tells.
     */
    boolean runsTarget(NodeInspection.ObservedNode node, @Nullable String changeId) {
        return command != null
                && isMember()
                && node.ready()
                && NodeTargetMatcher.versionFits(node, command)
                && (NodeTargetMatcher.versionIsKnown(command) || (changeId != null && node.revision() == null));
    }

    /** Whether the node serves the cluster's API. */
    boolean isMember() {
        return command != null && command.role() == MachineRole.CONTROL_PLANE;
    }

    private static String shown(NodeInspection.ObservedNode node) {
        return (node.revision() == null ? "no revision" : "revision " + node.revision())
                + (node.version() == null ? "" : " and version " + node.version());
    }

    private String wanted() {
        if (command == null) {
            return "";
        }
        String learned = command.resolvedRevision();
        return ", wanted is " + command.target() + (learned == null ? "" : ", which is revision " + learned)
                + (command.expectedVersion() == null ? "" : ", version " + command.expectedVersion());
    }
}
