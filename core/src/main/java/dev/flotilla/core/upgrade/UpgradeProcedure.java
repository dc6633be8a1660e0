package dev.flotilla.core.upgrade;

import dev.flotilla.core.upgrade.OutcomeState.KnownOutcome;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one attempt, run by the owner of its partition. {@link #begin} and {@link #handle} return the
 * next actions. Inputs that the current state does not wait for change nothing, so a late answer does no harm.
 */
public final class UpgradeProcedure implements MachineProcedure {
    private final UpgradeSafeguards upgradeSafeguards;
    private final long attemptId;
    private final CallPreparer callPreparer;
    private UpgradeState upgradeState;
    private String unknownOutcomeReason = "a call may have been made";
    private @Nullable BlockedCall blockedCall;

    public UpgradeProcedure(WorkerCommand command, UpgradeSafeguards upgradeSafeguards) {
        this.attemptId = command.attemptId();
        this.upgradeSafeguards = upgradeSafeguards;
        this.callPreparer = new CallPreparer(command, upgradeSafeguards);
        this.upgradeState = new UpgradeState.PreparingCall(callPreparer);
    }

    public long attemptId() {
        return attemptId;
    }

    @Override
    public WorkerCommand.@Nullable UpgradeMachine upgradeCommand() {
        return callPreparer.upgrade();
    }

    @Override
    public boolean isOver() {
        return upgradeState instanceof UpgradeState.Ended;
    }

    @Override
    public boolean isSettled() {
        return upgradeState.isSettled();
    }

    @Override
    public List<UpgradeAction> begin(@Nullable AttemptProgress last, ClockReading now) {
        if (last == null || last.attemptId() < attemptId) {
            return handlePreparerStep(callPreparer.inspectNode(now));
        }
        if (last.attemptId() > attemptId) {
            return end();
        }
        return switch (last.report()) {
            case AttemptReport.StepReached stepReached -> resume(stepReached, now);
            case AttemptReport.OutcomeUnknown unknown -> {
                callPreparer.restore(true, unknown.revisionBeforeCall());
                yield resolveOutcome(
                        OutcomeResolver.resumeUnknown(verification(), callPreparer::mustAbortChange, unknown, now));
            }
            case AttemptReport.Succeeded done -> end();
            case AttemptReport.Failed done -> end();
            case AttemptReport.Prepared done -> end();
            case AttemptReport.Cancelled done -> end();
            case AttemptReport.Aborted done -> end();
            case AttemptReport.LeaseExpired done -> end();
            case AttemptReport.Deferred done -> end();
        };
    }

    private List<UpgradeAction> resume(AttemptReport.StepReached last, ClockReading now) {
        // The worker that wrote this may have set guards, and may have stopped.
        callPreparer.restore(last.step() != AttemptStep.PREFLIGHT, last.revisionBeforeCall());
        String changeId = last.changeId();
        return switch (last.step()) {
            case PREFLIGHT, GUARDING, DRAINING -> handlePreparerStep(callPreparer.inspectNode(now));
            // A worker had a call permit and may have used it.
            case STARTING ->
                upgradeSafeguards.neverRepeatsUnknownCall()
                        ? verifyNode(KnownOutcome.UNKNOWN, knownChangeId(), now)
                        : handlePreparerStep(callPreparer.inspectNode(now));
            case REFRESHING, API_UNREACHABLE -> pollChange(changeId == null ? "" : changeId, now);
            case VERIFYING, UNCORDONING ->
                changeId == null
                        ? verifyNode(KnownOutcome.UNKNOWN, knownChangeId(), now)
                        : verifyNode(KnownOutcome.DONE, changeId, now);
        };
    }

    @Override
    public List<UpgradeAction> handle(UpgradeInput upgradeInput, ClockReading now) {
        if (upgradeInput instanceof UpgradeInput.CommandChanged commandChanged) {
            return handleCommandChanged(commandChanged.command());
        }
        return switch (upgradeState) {
            case UpgradeState.PreparingCall preparingCall ->
                handlePreparerStep(preparingCall.preparer().handle(upgradeInput, now));
            case UpgradeState.CallingUpgrade callingUpgrade ->
                upgradeInput instanceof UpgradeInput.CallReturned callReturned
                        ? handleCallResult(callReturned.callResult(), now)
                        : List.of();
            case UpgradeState.RecordingChangeId recordingChangeId ->
                isRecordOver(upgradeInput) ? waitForChange(recordingChangeId.changeId(), now) : List.of();
            case UpgradeState.ResolvingOutcome resolvingOutcome ->
                handleResolverStep(resolvingOutcome.resolver().handle(upgradeInput, now));
            case UpgradeState.RunningPostChecks runningPostChecks ->
                handlePostCheckInput(runningPostChecks.postChecks(), upgradeInput, now);
            case UpgradeState.CleaningUp cleaningUp ->
                upgradeInput instanceof UpgradeInput.CleanedUp ? writeFinalReport(cleaningUp.report()) : List.of();
            case UpgradeState.Ended ended -> List.of();
        };
    }

    private List<UpgradeAction> handleCommandChanged(WorkerCommand next) {
        callPreparer.replaceCommand(next);
        return upgradeState instanceof UpgradeState.PreparingCall && callPreparer.isCancelled()
                ? finish(new AttemptReport.Cancelled())
                : List.of();
    }

    // The call.

    private List<UpgradeAction> handlePreparerStep(CallPreparer.PreparerStep preparerStep) {
        return switch (preparerStep) {
            case CallPreparer.PreparerStep.Continue next -> {
                upgradeState = new UpgradeState.PreparingCall(callPreparer);
                yield next.actions();
            }
            case CallPreparer.PreparerStep.Call call -> moveTo(new UpgradeState.CallingUpgrade(), call.action());
            case CallPreparer.PreparerStep.Finish last -> finish(last.report());
        };
    }

    private List<UpgradeAction> handleCallResult(CallResult callResult, ClockReading now) {
        return switch (callResult) {
            case CallResult.ChangeStarted changeStarted -> recordChangeId(changeStarted.changeId());
            case CallResult.NothingToDo nothing -> verifyNode(KnownOutcome.UNCHANGED, null, now);
            case CallResult.NodeBusy nodeBusy -> retryCall(FailureReason.NODE_BUSY, nodeBusy.text(), now);
            case CallResult.NotSent notSent -> retryCall(FailureReason.UNREACHABLE, notSent.text(), now);
            case CallResult.CallRejected callRejected ->
                finish(new AttemptReport.Failed(
                        callRejected.failureClass(), callRejected.reason(), callRejected.text()));
            case CallResult.NoAnswer noAnswer ->
                upgradeSafeguards.neverRepeatsUnknownCall()
                        ? verifyUnknownOutcome(noAnswer.text(), now)
                        : handlePreparerStep(callPreparer.writePermit(now));
        };
    }

    /** The provider did nothing: retries the call with another permit, unless calls have been blocked for too long. */
    private List<UpgradeAction> retryCall(FailureReason reason, String text, ClockReading now) {
        blockedCall = BlockedCall.startOrContinue(blockedCall, reason, now);
        AttemptReport overdue = blockedCall.failureIfOverdue(text, now);
        return overdue != null ? finish(overdue) : handlePreparerStep(callPreparer.waitToRetryCall());
    }

    private List<UpgradeAction> recordChangeId(String changeId) {
        return moveTo(
                new UpgradeState.RecordingChangeId(changeId),
                new UpgradeAction.WriteReport(new AttemptReport.StepReached(
                        AttemptStep.REFRESHING, changeId, verification().revisionToRecord())));
    }

    /** Whether the change's id is recorded, or cannot be: a started change is polled without its record. */
    private static boolean isRecordOver(UpgradeInput upgradeInput) {
        return upgradeInput instanceof UpgradeInput.SessionEnded
                || (upgradeInput instanceof UpgradeInput.ReportCommitted reportCommitted
                        && reportCommitted.report() instanceof AttemptReport.StepReached stepReached
                        && stepReached.step() == AttemptStep.REFRESHING);
    }

    // Its outcome.

    private List<UpgradeAction> verifyUnknownOutcome(String reason, ClockReading now) {
        unknownOutcomeReason = "the call had no answer (" + reason + ")";
        return verifyNode(KnownOutcome.UNKNOWN, knownChangeId(), now);
    }

    /** The id of the change that the call makes, if it is known without an answer: a NodeUpgrade bears the attempt's name. */
    private @Nullable String knownChangeId() {
        WorkerCommand.UpgradeMachine upgrade = callPreparer.upgrade();
        return upgrade == null || upgrade.provider() != UpgradeProvider.NODE_UPGRADE
                ? null
                : NodeUpgradeName.of(upgrade);
    }

    /** Waits before the first poll of a change that has just started. */
    private List<UpgradeAction> waitForChange(String changeId, ClockReading now) {
        return moveTo(
                new UpgradeState.ResolvingOutcome(OutcomeResolver.startPollingChange(
                        verification(), callPreparer::mustAbortChange, changeId, now)),
                new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    private List<UpgradeAction> pollChange(String changeId, ClockReading now) {
        return resolveOutcome(
                OutcomeResolver.startPollingChange(verification(), callPreparer::mustAbortChange, changeId, now));
    }

    private List<UpgradeAction> verifyNode(KnownOutcome knownOutcome, @Nullable String changeId, ClockReading now) {
        return resolveOutcome(OutcomeResolver.startVerifyingNode(
                verification(), callPreparer::mustAbortChange, knownOutcome, changeId, now));
    }

    private NodeVerification verification() {
        return new NodeVerification(
                upgradeSafeguards, callPreparer.upgrade(), unknownOutcomeReason, callPreparer.revisionBeforeCall());
    }

    private List<UpgradeAction> resolveOutcome(OutcomeResolver outcomeResolver) {
        upgradeState = new UpgradeState.ResolvingOutcome(outcomeResolver);
        return outcomeResolver.begin();
    }

    private List<UpgradeAction> handleResolverStep(OutcomeResolver.ResolverStep resolverStep) {
        return switch (resolverStep) {
            case OutcomeResolver.ResolverStep.Continue next -> next.actions();
            case OutcomeResolver.ResolverStep.Finish last -> finish(last.report());
        };
    }

    // The end.

    private List<UpgradeAction> finish(AttemptReport report) {
        return report instanceof AttemptReport.Succeeded success
                        && !postChecks().isEmpty()
                ? moveTo(
                        new UpgradeState.RunningPostChecks(new PostCheckState(success, null)),
                        new UpgradeAction.RunChecks(postChecks()))
                : cleanUpAndReport(report);
    }

    private List<UpgradeAction> handlePostCheckInput(
            PostCheckState postCheckState, UpgradeInput upgradeInput, ClockReading now) {
        return switch (upgradeInput) {
            case UpgradeInput.ChecksRun checksRun -> handlePostChecks(postCheckState, checksRun.failedChecks(), now);
            case UpgradeInput.WaitElapsed waitElapsed -> List.of(new UpgradeAction.RunChecks(postChecks()));
            default -> List.of();
        };
    }

    private List<UpgradeAction> handlePostChecks(
            PostCheckState postCheckState, List<FailedCheck> failedChecks, ClockReading now) {
        AttemptReport end = postCheckState.reportOf(failedChecks, now);
        return end != null
                ? cleanUpAndReport(end)
                : moveTo(
                        new UpgradeState.RunningPostChecks(postCheckState.withFailure(now)),
                        new UpgradeAction.Wait(WaitReason.PROOF));
    }

    private List<HealthCheck> postChecks() {
        WorkerCommand.UpgradeMachine upgrade = callPreparer.upgrade();
        return upgrade == null ? List.of() : upgrade.checks().afterCall();
    }

    private List<UpgradeAction> cleanUpAndReport(AttemptReport report) {
        return callPreparer.mayHaveGuards()
                ? moveTo(new UpgradeState.CleaningUp(report), new UpgradeAction.CleanUp())
                : writeFinalReport(report);
    }

    private List<UpgradeAction> writeFinalReport(AttemptReport report) {
        return moveTo(new UpgradeState.Ended(), new UpgradeAction.WriteReport(report));
    }

    private List<UpgradeAction> end() {
        upgradeState = new UpgradeState.Ended();
        return List.of();
    }

    private List<UpgradeAction> moveTo(UpgradeState next, UpgradeAction upgradeAction) {
        upgradeState = next;
        return List.of(upgradeAction);
    }
}
