package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.OutcomeState.KnownOutcome;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt from its call on: what came of it? Nothing here begins anything on the node. */
final class OutcomeResolver {
    /** No change of snapd's. */
    private static final String NO_CHANGE = "0";

    private final NodeVerification verification;
    private OutcomeState stage;
    private @Nullable AttemptStep said;
    private boolean saidUnknown;

    private OutcomeResolver(NodeVerification verification, OutcomeState stage, boolean saidUnknown) {
        this.verification = verification;
        this.stage = stage;
        this.saidUnknown = saidUnknown;
    }

    /** What is to be done, or how it ends. */
    sealed interface ResolverStep {
        record Continue(List<UpgradeAction> actions) implements ResolverStep {}

        record Finish(AttemptReport report) implements ResolverStep {}
    }

    /** Watches a change. */
    static OutcomeResolver watching(NodeVerification verification, String changeId, ClockReading now) {
        return new OutcomeResolver(
                verification, new OutcomeState.PollingChange(changeId, ChangePollState.from(now)), false);
    }

    /** Verifies the node. */
    static OutcomeResolver verifying(
            NodeVerification verification, KnownOutcome knownOutcome, @Nullable String changeId, ClockReading now) {
        return new OutcomeResolver(verification, OutcomeState.VerifyingNode.from(knownOutcome, changeId, now), false);
    }

    /** Goes on though somebody has said that nothing can be told. */
    static OutcomeResolver unclear(
            NodeVerification verification, AttemptReport.OutcomeUnknown unknown, ClockReading now) {
        return new OutcomeResolver(
                verification, OutcomeState.VerifyingNode.from(KnownOutcome.UNKNOWN, unknown.changeId(), now), true);
    }

    /** What is asked first. */
    List<UpgradeAction> begin() {
        return switch (stage) {
            case OutcomeState.PollingChange pollingChange ->
                List.of(new UpgradeAction.PollChange(pollingChange.changeId()));
            default -> List.of(new UpgradeAction.InspectNode());
        };
    }

    ResolverStep handle(UpgradeInput upgradeInput, ClockReading now) {
        return switch (upgradeInput) {
            case UpgradeInput.NodeInspected nodeInspected -> inspected(nodeInspected.inspection(), now);
            case UpgradeInput.ChangePolled changePolled -> polled(changePolled.changeStatus(), now);
            case UpgradeInput.WaitElapsed waitElapsed -> rested();
            default -> nothing();
        };
    }

    private ResolverStep inspected(NodeInspection nodeInspection, ClockReading now) {
        return switch (stage) {
            case OutcomeState.ProbingApiServer probingApiServer -> glanced(probingApiServer, nodeInspection);
            case OutcomeState.PollingChange pollingChange -> nothing();
            case OutcomeState.AwaitingPeers awaitingPeers -> awaits(awaitingPeers, nodeInspection);
            case OutcomeState.VerifyingNode verifyingNode -> verifies(verifyingNode, nodeInspection, now);
            case OutcomeState.QueryingK8sd queryingK8sd -> nothing();
        };
    }

    private ResolverStep polled(ChangeStatus sight, ClockReading now) {
        return switch (stage) {
            case OutcomeState.PollingChange pollingChange ->
                polled(pollingChange.changeId(), pollingChange.watch(), sight, now);
            case OutcomeState.VerifyingNode verifyingNode -> heard(verifyingNode, sight, now);
            case OutcomeState.QueryingK8sd queryingK8sd -> asked(queryingK8sd, sight, now);
            case OutcomeState.AwaitingPeers awaitingPeers -> nothing();
            case OutcomeState.ProbingApiServer probingApiServer -> nothing();
        };
    }

    private ResolverStep rested() {
        return switch (stage) {
            case OutcomeState.PollingChange pollingChange ->
                act(new UpgradeAction.PollChange(pollingChange.changeId()));
            case OutcomeState.VerifyingNode verifyingNode -> {
                String changeId = verifyingNode.asksFor();
                yield act(changeId == null ? new UpgradeAction.InspectNode() : new UpgradeAction.PollChange(changeId));
            }
            case OutcomeState.ProbingApiServer probingApiServer -> nothing();
            case OutcomeState.AwaitingPeers awaitingPeers -> nothing();
            case OutcomeState.QueryingK8sd queryingK8sd -> nothing();
        };
    }

    // The change.

    private ResolverStep polled(
            String changeId, ChangePollState changePollState, ChangeStatus sight, ClockReading now) {
        return switch (sight) {
            case ChangeStatus.InProgress on -> goesOn(changeId, changePollState.withProgress(), on.text(), now);
            case ChangeStatus.Blocked blocked ->
                goesOn(changeId, changePollState.withBlocked(now), blocked.text(), now);
            case ChangeStatus.StatusUnavailable statusUnavailable ->
                goesOn(changeId, changePollState.withNoAnswer(now), statusUnavailable.text(), now);
            case ChangeStatus.AwaitsPeers peers ->
                to(
                        new OutcomeState.AwaitingPeers(changeId, changePollState.withProgress()),
                        new UpgradeAction.InspectNode());
            case ChangeStatus.ChangeDone changeDone -> verify(KnownOutcome.DONE, changeId, now);
            case ChangeStatus.ChangeForgotten changeForgotten -> verify(KnownOutcome.LOST, changeId, now);
            case ChangeStatus.ChangeFailed changeFailed -> failed(FailureReason.REFRESH_ERROR, changeFailed.text());
        };
    }

    private ResolverStep goesOn(String changeId, ChangePollState changePollState, String text, ClockReading now) {
        stage = new OutcomeState.PollingChange(changeId, changePollState);
        String overdue = changePollState.overdue(text, now);
        if (overdue != null) {
            if (changePollState.silentSince() != null) {
                // What is not heard of the change may be seen of the node.
                stage = OutcomeState.VerifyingNode.from(KnownOutcome.UNKNOWN, changeId, now);
            }
            return unknown(overdue, changeId);
        }
        // A refresh may take away what leads to the node.
        return changePollState.lasts(now)
                ? to(new OutcomeState.ProbingApiServer(changeId, changePollState), new UpgradeAction.InspectNode())
                : act(rest(WaitReason.CHANGE));
    }

    private ResolverStep glanced(OutcomeState.ProbingApiServer probingApiServer, NodeInspection nodeInspection) {
        String changeId = probingApiServer.changeId();
        UpgradeAction rest = rest(WaitReason.CHANGE);
        if (!(nodeInspection instanceof NodeInspection.Unreachable unreachable)) {
            return to(new OutcomeState.PollingChange(changeId, probingApiServer.watch()), rest);
        }
        stage = new OutcomeState.PollingChange(
                changeId, probingApiServer.watch().away(unreachable.text()));
        return verification.isMember() ? saying(AttemptStep.API_AWAY, changeId, rest) : act(rest);
    }

    /** Its k8sd is new already: what its kubelet shows now, and its place among those who serve the API, must do. */
    private ResolverStep awaits(OutcomeState.AwaitingPeers awaitingPeers, NodeInspection nodeInspection) {
        if (nodeInspection instanceof NodeInspection.ObservedNode node
                && verification.runsTarget(node, awaitingPeers.changeId())) {
            return succeeded(node, AttemptReport.SuccessProof.AWAITS_PEERS);
        }
        return to(
                new OutcomeState.PollingChange(awaitingPeers.changeId(), awaitingPeers.watch()),
                rest(WaitReason.CHANGE));
    }

    // The node.

    private ResolverStep verify(KnownOutcome knownOutcome, String changeId, ClockReading now) {
        return to(OutcomeState.VerifyingNode.from(knownOutcome, changeId, now), new UpgradeAction.InspectNode());
    }

    private ResolverStep verifies(
            OutcomeState.VerifyingNode verifyingNode, NodeInspection nodeInspection, ClockReading now) {
        if (nodeInspection instanceof NodeInspection.ObservedNode node && !node.busy()) {
            OutcomeState.VerifyingNode it = verifyingNode.seen();
            return after(it, verification.verify(it, node, now), node);
        }
        OutcomeState.VerifyingNode it = verifyingNode.unseen(now);
        String unclear = NodeVerification.describeUnreachable(it, nodeInspection, now);
        stage = it;
        return unclear == null ? waits(it) : unknown(unclear, it.changeId());
    }

    private ResolverStep after(
            OutcomeState.VerifyingNode verifyingNode,
            VerificationResult verificationResult,
            NodeInspection.ObservedNode node) {
        stage = verifyingNode;
        return switch (verificationResult) {
            case VerificationResult.AtTarget atTarget -> succeeded(node, atTarget.proof());
            case VerificationResult.NotAtTarget notAtTarget -> failed(notAtTarget.reason(), notAtTarget.text());
            case VerificationResult.MayAwaitPeers mayAwaitPeers ->
                to(
                        new OutcomeState.QueryingK8sd(verifyingNode, node),
                        new UpgradeAction.PollChange(
                                verifyingNode.changeId() == null ? NO_CHANGE : verifyingNode.changeId()));
            case VerificationResult.StillPending stillPending -> waits(verifyingNode);
            case VerificationResult.Undetermined undetermined -> unknown(undetermined.text(), verifyingNode.changeId());
        };
    }

    /** A change that nobody heard of for long may be told of again. */
    private ResolverStep heard(OutcomeState.VerifyingNode verifyingNode, ChangeStatus sight, ClockReading now) {
        String changeId = verifyingNode.asksFor();
        return changeId == null
                ? nothing()
                : sight instanceof ChangeStatus.StatusUnavailable || sight instanceof ChangeStatus.ChangeForgotten
                        ? act(new UpgradeAction.InspectNode())
                        : polled(changeId, ChangePollState.from(now), sight, now);
    }

    private ResolverStep asked(OutcomeState.QueryingK8sd queryingK8sd, ChangeStatus sight, ClockReading now) {
        OutcomeState.VerifyingNode verifyingNode = queryingK8sd.verifying();
        if (sight instanceof ChangeStatus.AwaitsPeers) {
            return succeeded(queryingK8sd.seen(), AttemptReport.SuccessProof.AWAITS_PEERS);
        }
        stage = verifyingNode;
        // One that says nothing may be starting.
        long patience =
                sight instanceof ChangeStatus.StatusUnavailable ? UpgradeTimeouts.READY : UpgradeTimeouts.TARGET;
        return now.monotonicMillis() - verifyingNode.since() <= patience
                ? waits(verifyingNode)
                : after(verifyingNode, verification.missed(verifyingNode, queryingK8sd.seen()), queryingK8sd.seen());
    }

    // What is said.

    /** What the first look does not prove is said to take a while. */
    private ResolverStep waits(OutcomeState.VerifyingNode verifyingNode) {
        return saying(AttemptStep.VERIFYING, verifyingNode.changeId(), rest(WaitReason.PROOF));
    }

    private ResolverStep saying(AttemptStep step, @Nullable String changeId, UpgradeAction then) {
        if (saidUnknown || said == step) {
            return act(then);
        }
        said = step;
        return new ResolverStep.Continue(List.of(
                new UpgradeAction.WriteReport(new AttemptReport.StepReached(step, changeId, verification.remembered())),
                then));
    }

    /** Said once; what comes of it is waited for all the same. */
    private ResolverStep unknown(String text, @Nullable String changeId) {
        if (saidUnknown) {
            return act(rest(WaitReason.LATE_PROOF));
        }
        saidUnknown = true;
        return new ResolverStep.Continue(List.of(
                new UpgradeAction.WriteReport(
                        new AttemptReport.OutcomeUnknown(text, changeId, verification.remembered())),
                rest(WaitReason.LATE_PROOF)));
    }

    private UpgradeAction rest(WaitReason waitReason) {
        return new UpgradeAction.Wait(saidUnknown ? WaitReason.LATE_PROOF : waitReason);
    }

    private static ResolverStep succeeded(NodeInspection.ObservedNode node, AttemptReport.SuccessProof how) {
        return new ResolverStep.Finish(new AttemptReport.Succeeded(how, node.revision(), node.version()));
    }

    private static ResolverStep failed(FailureReason reason, String text) {
        return new ResolverStep.Finish(new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text));
    }

    private ResolverStep to(OutcomeState next, UpgradeAction upgradeAction) {
        stage = next;
        return act(upgradeAction);
    }

    private static ResolverStep act(UpgradeAction upgradeAction) {
        return new ResolverStep.Continue(List.of(upgradeAction));
    }

    private static ResolverStep nothing() {
        return new ResolverStep.Continue(List.of());
    }
}
