package dev.flotilla.core.upgrade;

import dev.flotilla.core.upgrade.OutcomeState.KnownOutcome;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Finds out what a call did on the node, and never changes anything there. */
final class OutcomeResolver {
    /** An id that no change of snapd has. */
    private static final String NO_CHANGE = "0";

    private final NodeVerification verification;
    private final BooleanSupplier mustAbort;
    private OutcomeState state;
    private @Nullable AttemptStep lastReportedStep;
    private boolean hasReportedUnknown;

    /**
     * @param mustAbort evaluated before each poll: whether the change must be aborted
     */
    private OutcomeResolver(
            NodeVerification verification, BooleanSupplier mustAbort, OutcomeState state, boolean hasReportedUnknown) {
        this.verification = verification;
        this.mustAbort = mustAbort;
        this.state = state;
        this.hasReportedUnknown = hasReportedUnknown;
    }

    /** The next actions, or the report that ends the attempt. */
    sealed interface ResolverStep {
        record Continue(List<UpgradeAction> actions) implements ResolverStep {}

        record Finish(AttemptReport report) implements ResolverStep {}
    }

    /** Starts by polling a change. */
    static OutcomeResolver startPollingChange(
            NodeVerification verification, BooleanSupplier mustAbort, String changeId, ClockReading now) {
        return new OutcomeResolver(
                verification, mustAbort, new OutcomeState.PollingChange(changeId, ChangePollState.from(now)), false);
    }

    /** Starts by verifying the node. */
    static OutcomeResolver startVerifyingNode(
            NodeVerification verification,
            BooleanSupplier mustAbort,
            KnownOutcome knownOutcome,
            @Nullable String changeId,
            ClockReading now) {
        return new OutcomeResolver(
                verification, mustAbort, OutcomeState.VerifyingNode.from(knownOutcome, changeId, now), false);
    }

    /** Continues after the outcome was reported as unknown. */
    static OutcomeResolver resumeUnknown(
            NodeVerification verification,
            BooleanSupplier mustAbort,
            AttemptReport.OutcomeUnknown unknown,
            ClockReading now) {
        return new OutcomeResolver(
                verification,
                mustAbort,
                OutcomeState.VerifyingNode.from(KnownOutcome.UNKNOWN, unknown.changeId(), now),
                true);
    }

    /** The first actions. */
    List<UpgradeAction> begin() {
        return switch (state) {
            case OutcomeState.PollingChange pollingChange -> List.of(poll(pollingChange.changeId()));
            case OutcomeState.VerifyingNode verifyingNode -> {
                String changeId = hasReportedUnknown ? null : verifyingNode.changeIdToPoll();
                yield List.of(changeId == null ? new UpgradeAction.InspectNode() : poll(changeId));
            }
            default -> List.of(new UpgradeAction.InspectNode());
        };
    }

    private UpgradeAction poll(String changeId) {
        return mustAbort.getAsBoolean()
                ? new UpgradeAction.AbortChange(changeId)
                : new UpgradeAction.PollChange(changeId);
    }

    ResolverStep handle(UpgradeInput upgradeInput, ClockReading now) {
        return switch (upgradeInput) {
            case UpgradeInput.NodeInspected nodeInspected -> handleInspection(nodeInspected.inspection(), now);
            case UpgradeInput.ChangePolled changePolled -> handleChangeStatus(changePolled.changeStatus(), now);
            case UpgradeInput.WaitElapsed waitElapsed -> handleWaitElapsed();
            default -> ignore();
        };
    }

    private ResolverStep handleInspection(NodeInspection nodeInspection, ClockReading now) {
        return switch (state) {
            case OutcomeState.ProbingApiServer probingApiServer -> handleApiProbe(probingApiServer, nodeInspection);
            case OutcomeState.PollingChange pollingChange -> ignore();
            case OutcomeState.AwaitingPeers awaitingPeers -> handlePeerInspection(awaitingPeers, nodeInspection);
            case OutcomeState.VerifyingNode verifyingNode -> handleNodeInspection(verifyingNode, nodeInspection, now);
            case OutcomeState.QueryingK8sd queryingK8sd -> ignore();
        };
    }

    private ResolverStep handleChangeStatus(ChangeStatus changeStatus, ClockReading now) {
        return switch (state) {
            case OutcomeState.PollingChange pollingChange ->
                handleChangeStatus(pollingChange.changeId(), pollingChange.pollState(), changeStatus, now);
            case OutcomeState.VerifyingNode verifyingNode -> handleLateStatus(verifyingNode, changeStatus, now);
            case OutcomeState.QueryingK8sd queryingK8sd -> handlePeerQuery(queryingK8sd, changeStatus, now);
            case OutcomeState.AwaitingPeers awaitingPeers -> ignore();
            case OutcomeState.ProbingApiServer probingApiServer -> ignore();
        };
    }

    private ResolverStep handleWaitElapsed() {
        return switch (state) {
            case OutcomeState.PollingChange pollingChange -> perform(poll(pollingChange.changeId()));
            case OutcomeState.VerifyingNode verifyingNode -> {
                String changeId = verifyingNode.changeIdToPoll();
                yield perform(changeId == null ? new UpgradeAction.InspectNode() : poll(changeId));
            }
            case OutcomeState.ProbingApiServer probingApiServer -> ignore();
            case OutcomeState.AwaitingPeers awaitingPeers -> ignore();
            case OutcomeState.QueryingK8sd queryingK8sd -> ignore();
        };
    }

    // The change.

    private ResolverStep handleChangeStatus(
            String changeId, ChangePollState changePollState, ChangeStatus changeStatus, ClockReading now) {
        return switch (changeStatus) {
            case ChangeStatus.InProgress inProgress ->
                continuePolling(changeId, changePollState.withProgress(), inProgress.text(), now);
            case ChangeStatus.Blocked blocked ->
                continuePolling(changeId, changePollState.withBlocked(now), blocked.text(), now);
            case ChangeStatus.StatusUnavailable statusUnavailable ->
                continuePolling(changeId, changePollState.withNoAnswer(now), statusUnavailable.text(), now);
            case ChangeStatus.AwaitsPeers awaitsPeers ->
                moveTo(
                        new OutcomeState.AwaitingPeers(changeId, changePollState.withProgress()),
                        new UpgradeAction.InspectNode());
            case ChangeStatus.ChangeDone changeDone -> verifyNode(KnownOutcome.DONE, changeId, now);
            case ChangeStatus.ChangeForgotten changeForgotten -> verifyNode(KnownOutcome.LOST, changeId, now);
            // An abort that somebody else has requested leaves the machine to be upgraded.
            case ChangeStatus.ChangeAborted changeAborted ->
                mustAbort.getAsBoolean()
                        ? new ResolverStep.Finish(new AttemptReport.Aborted(changeAborted.text()))
                        : finishFailed(FailureClass.RETRYABLE, FailureReason.NODE_UPGRADE_FAILED, changeAborted.text());
            case ChangeStatus.ChangeFailed changeFailed ->
                finishFailed(changeFailed.failureClass(), changeFailed.reason(), changeFailed.text());
        };
    }

    private ResolverStep continuePolling(
            String changeId, ChangePollState changePollState, String text, ClockReading now) {
        state = new OutcomeState.PollingChange(changeId, changePollState);
        String overdue = changePollState.overdueMessage(verification.reporter(), text, now);
        if (overdue != null) {
            if (changePollState.silentSince() != null) {
                // The node may show what the provider does not report about the change.
                state = OutcomeState.VerifyingNode.from(KnownOutcome.UNKNOWN, changeId, now);
            }
            return reportUnknown(overdue, changeId);
        }
        // A refresh of the API server's own node makes the API unreachable.
        return changePollState.isSilentTooLong(now)
                ? moveTo(new OutcomeState.ProbingApiServer(changeId, changePollState), new UpgradeAction.InspectNode())
                : perform(waitFor(WaitReason.CHANGE));
    }

    private ResolverStep handleApiProbe(OutcomeState.ProbingApiServer probingApiServer, NodeInspection nodeInspection) {
        String changeId = probingApiServer.changeId();
        UpgradeAction wait = waitFor(WaitReason.CHANGE);
        if (!(nodeInspection instanceof NodeInspection.Unreachable unreachable)) {
            return moveTo(new OutcomeState.PollingChange(changeId, probingApiServer.pollState()), wait);
        }
        state = new OutcomeState.PollingChange(
                changeId, probingApiServer.pollState().withApiUnreachable(unreachable.text()));
        return verification.isMember() ? reportStep(AttemptStep.API_UNREACHABLE, changeId, wait) : perform(wait);
    }

    /** The member's k8sd is new already: its kubelet's version and its readiness are proof enough. */
    private ResolverStep handlePeerInspection(OutcomeState.AwaitingPeers awaitingPeers, NodeInspection nodeInspection) {
        if (nodeInspection instanceof NodeInspection.ObservedNode node
                && verification.runsTarget(node, awaitingPeers.changeId())) {
            return finishSucceeded(node, AttemptReport.SuccessProof.AWAITS_PEERS);
        }
        return moveTo(
                new OutcomeState.PollingChange(awaitingPeers.changeId(), awaitingPeers.pollState()),
                waitFor(WaitReason.CHANGE));
    }

    // The node.

    private ResolverStep verifyNode(KnownOutcome knownOutcome, String changeId, ClockReading now) {
        return moveTo(OutcomeState.VerifyingNode.from(knownOutcome, changeId, now), new UpgradeAction.InspectNode());
    }

    private ResolverStep handleNodeInspection(
            OutcomeState.VerifyingNode verifyingNode, NodeInspection nodeInspection, ClockReading now) {
        if (nodeInspection instanceof NodeInspection.ObservedNode node && !node.busy()) {
            OutcomeState.VerifyingNode readable = verifyingNode.withNodeReadable();
            return applyVerification(readable, verification.verify(readable, node, now), node);
        }
        OutcomeState.VerifyingNode unreadable = verifyingNode.withNodeUnreadable(now);
        String overdue = NodeVerification.describeUnreachable(unreadable, nodeInspection, now);
        state = unreadable;
        return overdue == null ? waitForProof(unreadable) : reportUnknown(overdue, unreadable.changeId());
    }

    private ResolverStep applyVerification(
            OutcomeState.VerifyingNode verifyingNode,
            VerificationResult verificationResult,
            NodeInspection.ObservedNode node) {
        state = verifyingNode;
        return switch (verificationResult) {
            case VerificationResult.AtTarget atTarget -> finishSucceeded(node, atTarget.proof());
            case VerificationResult.NotAtTarget notAtTarget ->
                finishFailed(FailureClass.RETRYABLE, notAtTarget.reason(), notAtTarget.text());
            case VerificationResult.MayAwaitPeers mayAwaitPeers ->
                moveTo(
                        new OutcomeState.QueryingK8sd(verifyingNode, node),
                        new UpgradeAction.PollChange(
                                verifyingNode.changeId() == null ? NO_CHANGE : verifyingNode.changeId()));
            case VerificationResult.StillPending stillPending -> waitForProof(verifyingNode);
            case VerificationResult.Undetermined undetermined ->
                reportUnknown(undetermined.text(), verifyingNode.changeId());
        };
    }

    /** The provider may report the change again after a long silence. */
    private ResolverStep handleLateStatus(
            OutcomeState.VerifyingNode verifyingNode, ChangeStatus changeStatus, ClockReading now) {
        String changeId = verifyingNode.changeIdToPoll();
        if (changeId == null) {
            return ignore();
        }
        return switch (changeStatus) {
            case ChangeStatus.StatusUnavailable unavailable -> perform(new UpgradeAction.InspectNode());
            case ChangeStatus.ChangeForgotten forgotten ->
                isCallSettled(verifyingNode, now)
                        ? verifyNode(KnownOutcome.LOST, changeId, now)
                        : perform(new UpgradeAction.InspectNode());
            case ChangeStatus.InProgress inProgress -> {
                state = new OutcomeState.PollingChange(changeId, ChangePollState.from(now));
                // Only a step that comes before those reported may still be reported.
                yield lastReportedStep == null
                        ? reportStep(AttemptStep.REFRESHING, changeId, waitFor(WaitReason.CHANGE))
                        : perform(waitFor(WaitReason.CHANGE));
            }
            default -> handleChangeStatus(changeId, ChangePollState.from(now), changeStatus, now);
        };
    }

    /** Whether a delegated call whose object does not exist can no longer create it. */
    private boolean isCallSettled(OutcomeState.VerifyingNode verifyingNode, ClockReading now) {
        return verification.isDelegated()
                && now.monotonicMillis() - verifyingNode.since() > UpgradeTimeouts.CALL_SETTLED;
    }

    private ResolverStep handlePeerQuery(
            OutcomeState.QueryingK8sd queryingK8sd, ChangeStatus changeStatus, ClockReading now) {
        OutcomeState.VerifyingNode verifyingNode = queryingK8sd.verifying();
        if (changeStatus instanceof ChangeStatus.AwaitsPeers) {
            return finishSucceeded(queryingK8sd.node(), AttemptReport.SuccessProof.AWAITS_PEERS);
        }
        state = verifyingNode;
        // A k8sd without an answer may be starting.
        long limit =
                changeStatus instanceof ChangeStatus.StatusUnavailable ? UpgradeTimeouts.READY : UpgradeTimeouts.TARGET;
        return now.monotonicMillis() - verifyingNode.since() <= limit
                ? waitForProof(verifyingNode)
                : applyVerification(
                        verifyingNode,
                        verification.describeFailure(verifyingNode, queryingK8sd.node()),
                        queryingK8sd.node());
    }

    // Reports.

    /** Reports the step only if the first inspection proves nothing. */
    private ResolverStep waitForProof(OutcomeState.VerifyingNode verifyingNode) {
        // With a change id, the next worker takes the change for done.
        String changeId = verifyingNode.knownOutcome() == KnownOutcome.UNKNOWN ? null : verifyingNode.changeId();
        return reportStep(AttemptStep.VERIFYING, changeId, waitFor(WaitReason.PROOF));
    }

    private ResolverStep reportStep(AttemptStep step, @Nullable String changeId, UpgradeAction then) {
        if (hasReportedUnknown || lastReportedStep == step) {
            return perform(then);
        }
        lastReportedStep = step;
        return new ResolverStep.Continue(List.of(
                new UpgradeAction.WriteReport(
                        new AttemptReport.StepReached(step, changeId, verification.revisionToRecord())),
                then));
    }

    /** Reports the unknown outcome once, and keeps looking for proof. */
    private ResolverStep reportUnknown(String text, @Nullable String changeId) {
        if (hasReportedUnknown) {
            return perform(waitFor(WaitReason.LATE_PROOF));
        }
        hasReportedUnknown = true;
        return new ResolverStep.Continue(List.of(
                new UpgradeAction.WriteReport(
                        new AttemptReport.OutcomeUnknown(text, changeId, verification.revisionToRecord())),
                waitFor(WaitReason.LATE_PROOF)));
    }

    private UpgradeAction waitFor(WaitReason waitReason) {
        return new UpgradeAction.Wait(hasReportedUnknown ? WaitReason.LATE_PROOF : waitReason);
    }

    private static ResolverStep finishSucceeded(NodeInspection.ObservedNode node, AttemptReport.SuccessProof proof) {
        return new ResolverStep.Finish(new AttemptReport.Succeeded(proof, node.revision(), node.version()));
    }

    private static ResolverStep finishFailed(FailureClass failureClass, FailureReason reason, String text) {
        return new ResolverStep.Finish(new AttemptReport.Failed(failureClass, reason, text));
    }

    private ResolverStep moveTo(OutcomeState nextState, UpgradeAction upgradeAction) {
        state = nextState;
        return perform(upgradeAction);
    }

    private static ResolverStep perform(UpgradeAction upgradeAction) {
        return new ResolverStep.Continue(List.of(upgradeAction));
    }

    private static ResolverStep ignore() {
        return new ResolverStep.Continue(List.of());
    }
}
