package dev.flotilla.core.procedure;

import dev.flotilla.core.procedure.OutcomeState.KnownOutcome;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one attempt, run by the owner of its partition. {@link #begin} and {@link #handle} return the
 * next actions. Inputs that the current state does not wait for change nothing, so a late answer does no harm.
 */
public final class UpgradeProcedure {
    private static final String PERMIT_LOST = "the call permit was lost before the call";

    private final UpgradeSafeguards upgradeSafeguards;
    private final long attemptId;
    private WorkerCommand command;
    private WorkerCommand.@Nullable UpgradeMachine upgrade;
    private UpgradeState upgradeState = new UpgradeState.InspectingNode(null);
    private @Nullable AttemptStep lastReportedStep;
    private boolean mayHaveGuards;
    private @Nullable String revisionBeforeCall;
    private String unknownOutcomeReason = "a call may have been made";
    private @Nullable BlockedCall blockedCall;

    public UpgradeProcedure(WorkerCommand command, UpgradeSafeguards upgradeSafeguards) {
        this.command = command;
        this.attemptId = command.attemptId();
        this.upgrade = command instanceof WorkerCommand.UpgradeMachine machine ? machine : null;
        this.upgradeSafeguards = upgradeSafeguards;
    }

    public long attemptId() {
        return attemptId;
    }

    public boolean isOver() {
        return upgradeState instanceof UpgradeState.Ended;
    }

    /** Whether another worker can continue from the written reports alone. */
    public boolean isSettled() {
        return upgradeState.isSettled(lastReportedStep == AttemptStep.STARTING);
    }

    /** Continues from the machine's last report, whichever worker wrote it. */
    public List<UpgradeAction> begin(@Nullable AttemptProgress last, ClockReading now) {
        if (last == null || last.attemptId() < attemptId) {
            return inspectNode(now);
        }
        if (last.attemptId() > attemptId) {
            return end();
        }
        return switch (last.report()) {
            case AttemptReport.StepReached stepReached -> resume(stepReached, now);
            case AttemptReport.OutcomeUnknown unknown -> {
                mayHaveGuards = true;
                revisionBeforeCall = unknown.revisionBeforeCall();
                yield resolveOutcome(OutcomeResolver.resumeUnknown(verification(), unknown, now));
            }
            case AttemptReport.Succeeded done -> end();
            case AttemptReport.Failed done -> end();
            case AttemptReport.Cancelled done -> end();
            case AttemptReport.LeaseExpired done -> end();
            case AttemptReport.Deferred done -> end();
        };
    }

    private List<UpgradeAction> resume(AttemptReport.StepReached last, ClockReading now) {
        // The worker that wrote this may have set guards, and may have stopped.
        mayHaveGuards = last.step() != AttemptStep.PREFLIGHT;
        revisionBeforeCall = last.revisionBeforeCall();
        String changeId = last.changeId();
        return switch (last.step()) {
            case PREFLIGHT, GUARDING, DRAINING -> inspectNode(now);
            // A worker had a call permit and may have used it.
            case STARTING ->
                upgradeSafeguards.neverRepeatsUnknownCall()
                        ? verifyNode(KnownOutcome.UNKNOWN, null, now)
                        : inspectNode(now);
            case REFRESHING, API_UNREACHABLE -> pollChange(changeId == null ? "" : changeId, now);
            case VERIFYING, UNCORDONING ->
                verifyNode(changeId == null ? KnownOutcome.UNKNOWN : KnownOutcome.DONE, changeId, now);
        };
    }

    public List<UpgradeAction> handle(UpgradeInput upgradeInput, ClockReading now) {
        if (upgradeState instanceof UpgradeState.ResolvingOutcome resolvingOutcome
                && !(upgradeInput instanceof UpgradeInput.CommandChanged)) {
            return switch (resolvingOutcome.resolver().handle(upgradeInput, now)) {
                case OutcomeResolver.ResolverStep.Continue next -> next.actions();
                case OutcomeResolver.ResolverStep.Finish last -> finish(last.report());
            };
        }
        return switch (upgradeInput) {
            case UpgradeInput.CommandChanged commandChanged -> handleCommandChanged(commandChanged.command());
            case UpgradeInput.ReportCommitted reportCommitted -> handleReportCommitted(reportCommitted.report(), now);
            case UpgradeInput.NodeInspected nodeInspected ->
                upgradeState instanceof UpgradeState.InspectingNode inspectingNode
                        ? handleInspection(inspectingNode, nodeInspected.inspection(), now)
                        : List.of();
            case UpgradeInput.ConnectAttempted connectAttempted ->
                upgradeState instanceof UpgradeState.Connecting connecting
                        ? handleConnectResult(connecting, connectAttempted.connectResult(), now)
                        : List.of();
            case UpgradeInput.ChecksRun checksRun -> handleChecksRun(checksRun.failedChecks(), now);
            case UpgradeInput.GuardsSet verdict ->
                upgradeState instanceof UpgradeState.SettingGuards settingGuards
                        ? handleGuardsSet(settingGuards, verdict.forbiddenReason(), now)
                        : List.of();
            case UpgradeInput.DrainStarted drainStarted ->
                upgradeState instanceof UpgradeState.SettingGuards ? reportStepOnce(AttemptStep.DRAINING) : List.of();
            case UpgradeInput.PreconditionsChecked verdict ->
                upgradeState instanceof UpgradeState.CheckingPreconditions checkingPreconditions
                        ? handlePreconditionsChecked(checkingPreconditions, verdict.forbiddenReason(), now)
                        : List.of();
            case UpgradeInput.PermitExpired permitExpired ->
                upgradeState instanceof UpgradeState.CallingRefresh callingRefresh
                        ? moveTo(
                                new UpgradeState.CheckingPreconditions(callingRefresh.permitSince()),
                                new UpgradeAction.CheckPreconditions())
                        : List.of();
            case UpgradeInput.CallReturned callReturned ->
                upgradeState instanceof UpgradeState.CallingRefresh
                        ? handleCallResult(callReturned.callResult(), now)
                        : List.of();
            case UpgradeInput.ChangePolled changePolled -> List.of();
            case UpgradeInput.WaitElapsed waitElapsed -> handleWaitElapsed();
            case UpgradeInput.CleanedUp cleanedUp ->
                upgradeState instanceof UpgradeState.CleaningUp cleaningUp
                        ? writeFinalReport(cleaningUp.report())
                        : List.of();
            case UpgradeInput.SessionEnded ended -> handleSessionEnded(now);
            case UpgradeInput.HandingOver handingOver -> returnUnusedPermit();
        };
    }

    /**
     * Reports cannot be written for now: an unused permit ends the attempt, and a started change is polled without its
     * record.
     */
    private List<UpgradeAction> handleSessionEnded(ClockReading now) {
        return switch (upgradeState) {
            case UpgradeState.WritingPermit writingPermit -> finish(new AttemptReport.Deferred(PERMIT_LOST));
            case UpgradeState.CheckingPreconditions checkingPreconditions ->
                finish(new AttemptReport.Deferred(PERMIT_LOST));
            case UpgradeState.RecordingChangeId recordingChangeId -> waitForChange(recordingChangeId.changeId(), now);
            default -> List.of();
        };
    }

    /** Returns an unused call permit, so that the next worker can write another. */
    private List<UpgradeAction> returnUnusedPermit() {
        if (!upgradeState.isBeforeTheCall() || lastReportedStep != AttemptStep.STARTING) {
            return List.of();
        }
        return moveTo(new UpgradeState.InspectingNode(null), stepReport(AttemptStep.GUARDING, null));
    }

    private List<UpgradeAction> handleCommandChanged(WorkerCommand next) {
        command = next;
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            upgrade = machine;
            return List.of();
        }
        return upgradeState.isBeforeTheCall() && upgradeSafeguards.honoursCancel()
                ? finish(new AttemptReport.Cancelled())
                : List.of();
    }

    // Before the call.

    private List<UpgradeAction> inspectNode(ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now);
        return endReport != null
                ? finish(endReport)
                : moveTo(new UpgradeState.InspectingNode(null), new UpgradeAction.InspectNode());
    }

    /** The report that ends the attempt because its command was cancelled or its lease has expired; otherwise null. */
    private @Nullable AttemptReport reportInsteadOfCall(ClockReading now) {
        if (command instanceof WorkerCommand.CancelUpgrade && upgradeSafeguards.honoursCancel()) {
            return new AttemptReport.Cancelled();
        }
        return upgrade == null || now.monotonicMillis() >= upgradeSafeguards.leaseDeadline(upgrade, now)
                ? new AttemptReport.LeaseExpired()
                : null;
    }

    private List<UpgradeAction> handleInspection(
            UpgradeState.InspectingNode inspectingNode, NodeInspection nodeInspection, ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now);
        if (endReport != null) {
            return finish(endReport);
        }
        return switch (nodeInspection) {
            case NodeInspection.MachineGone machineGone -> finish(new AttemptReport.Deferred("no such machine"));
            case NodeInspection.Unreachable unreachable ->
                waitOrFailUnreachable(inspectingNode.unreachableSince(), unreachable.text(), now);
            case NodeInspection.ObservedNode node -> {
                if (upgrade != null && node.ready() && NodeTargetMatcher.isAtTarget(node, upgrade)) {
                    yield finish(successReport(node, AttemptReport.SuccessProof.UNCHANGED));
                }
                if (upgrade != null
                        && upgradeSafeguards.honoursPreconditions()
                        && NodeTargetMatcher.isDowngrade(node, upgrade)) {
                    yield finish(new AttemptReport.Deferred("the node shows " + node.version()
                            + ", which is newer than " + upgrade.target() + ": a downgrade needs allowDowngrade"));
                }
                revisionBeforeCall = node.revision() == null ? "" : node.revision();
                // Not our change: wait until the node is idle, read its revision, then decide.
                yield node.busy()
                        ? waitForIdleNode(null)
                        : moveTo(
                                new UpgradeState.Connecting(inspectingNode.unreachableSince()),
                                new UpgradeAction.ConnectToK8sd());
            }
        };
    }

    private List<UpgradeAction> waitOrFailUnreachable(@Nullable Long unreachableSince, String text, ClockReading now) {
        long since = unreachableSince == null ? now.monotonicMillis() : unreachableSince;
        return now.monotonicMillis() - since > UpgradeTimeouts.UNREACHABLE
                ? finish(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, text))
                : waitForIdleNode(since);
    }

    private List<UpgradeAction> handleConnectResult(
            UpgradeState.Connecting connecting, ConnectResult connectResult, ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now);
        if (endReport != null) {
            return finish(endReport);
        }
        return switch (connectResult) {
            case ConnectResult.Connected connected -> runPreChecks(false, now);
            case ConnectResult.NotReachable notReachable ->
                waitOrFailUnreachable(connecting.unreachableSince(), notReachable.text(), now);
            case ConnectResult.ConnectionRefused connectionRefused ->
                finish(new AttemptReport.Failed(
                        connectionRefused.failureClass(), connectionRefused.reason(), connectionRefused.text()));
        };
    }

    private List<UpgradeAction> waitForIdleNode(@Nullable Long unreachableSince) {
        upgradeState = new UpgradeState.InspectingNode(unreachableSince);
        // A worker that takes over must know about the guards.
        return append(
                reportStepOnce(mayHaveGuards ? AttemptStep.GUARDING : AttemptStep.PREFLIGHT),
                new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }

    /**
     * Runs the checks before the guards are set, so that no pod is evicted in vain, and again if setting them took
     * long.
     */
    private List<UpgradeAction> runPreChecks(boolean isGuarded, ClockReading now) {
        List<HealthCheck> checks =
                upgrade == null ? List.of() : upgrade.checks().beforeCall();
        if (!checks.isEmpty()) {
            return moveTo(new UpgradeState.RunningPreChecks(isGuarded), new UpgradeAction.RunChecks(checks));
        }
        return isGuarded ? writePermit(now) : setGuards(now);
    }

    private List<UpgradeAction> handleChecksRun(List<FailedCheck> failedChecks, ClockReading now) {
        if (upgradeState instanceof UpgradeState.RunningPreChecks runningPreChecks) {
            AttemptReport endReport = reportInsteadOfCall(now, PostCheckState.forbiddingCheck(failedChecks));
            return endReport != null
                    ? finish(endReport)
                    : runningPreChecks.guarded() ? writePermit(now) : setGuards(now);
        }
        return upgradeState instanceof UpgradeState.RunningPostChecks runningPostChecks
                ? handlePostChecks(runningPostChecks.postChecks(), failedChecks, now)
                : List.of();
    }

    private List<UpgradeAction> setGuards(ClockReading now) {
        mayHaveGuards = true;
        return moveTo(new UpgradeState.SettingGuards(now.monotonicMillis()), new UpgradeAction.SetGuards());
    }

    private List<UpgradeAction> handleGuardsSet(
            UpgradeState.SettingGuards settingGuards, @Nullable String forbiddenReason, ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now, forbiddenReason);
        boolean checksOutdated = now.monotonicMillis() - settingGuards.since() > UpgradeTimeouts.CHECK_RESULTS_VALID;
        return endReport != null ? finish(endReport) : checksOutdated ? runPreChecks(true, now) : writePermit(now);
    }

    private @Nullable AttemptReport reportInsteadOfCall(ClockReading now, @Nullable String forbiddenReason) {
        AttemptReport endReport = reportInsteadOfCall(now);
        return endReport == null && forbiddenReason != null && upgradeSafeguards.honoursPreconditions()
                ? new AttemptReport.Deferred(forbiddenReason)
                : endReport;
    }

    private List<UpgradeAction> writePermit(ClockReading now) {
        return moveTo(new UpgradeState.WritingPermit(now.monotonicMillis()), stepReport(AttemptStep.STARTING, null));
    }

    private List<UpgradeAction> handleReportCommitted(AttemptReport report, ClockReading now) {
        if (!(report instanceof AttemptReport.StepReached stepReached)) {
            return List.of();
        }
        return switch (upgradeState) {
            case UpgradeState.WritingPermit writingPermit ->
                stepReached.step() == AttemptStep.STARTING
                        ? moveTo(
                                new UpgradeState.CheckingPreconditions(writingPermit.since()),
                                new UpgradeAction.CheckPreconditions())
                        : List.of();
            case UpgradeState.RecordingChangeId recordingChangeId ->
                stepReached.step() == AttemptStep.REFRESHING
                        ? waitForChange(recordingChangeId.changeId(), now)
                        : List.of();
            default -> List.of();
        };
    }

    private List<UpgradeAction> handlePreconditionsChecked(
            UpgradeState.CheckingPreconditions checkingPreconditions,
            @Nullable String forbiddenReason,
            ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now, forbiddenReason);
        if (endReport != null || upgrade == null) {
            return finish(endReport == null ? new AttemptReport.LeaseExpired() : endReport);
        }
        long permitSince = checkingPreconditions.permitSince();
        if (now.monotonicMillis() >= upgradeSafeguards.permitDeadline(permitSince)) {
            return writePermit(now);
        }
        long callDeadline =
                Math.min(upgradeSafeguards.permitDeadline(permitSince), upgradeSafeguards.leaseDeadline(upgrade, now));
        return moveTo(
                new UpgradeState.CallingRefresh(permitSince),
                new UpgradeAction.CallRefresh(upgrade.target(), callDeadline));
    }

    // From the call on.

    private List<UpgradeAction> handleCallResult(CallResult callResult, ClockReading now) {
        return switch (callResult) {
            case CallResult.ChangeStarted changeStarted ->
                moveTo(
                        new UpgradeState.RecordingChangeId(changeStarted.changeId()),
                        stepReport(AttemptStep.REFRESHING, changeStarted.changeId()));
            case CallResult.NothingToDo nothing -> verifyNode(KnownOutcome.UNCHANGED, null, now);
            case CallResult.NodeBusy nodeBusy -> retryCall(FailureReason.NODE_BUSY, nodeBusy.text(), now);
            case CallResult.NotSent notSent -> retryCall(FailureReason.UNREACHABLE, notSent.text(), now);
            case CallResult.CallRejected callRejected ->
                finish(new AttemptReport.Failed(
                        callRejected.failureClass(), callRejected.reason(), callRejected.text()));
            case CallResult.NoAnswer noAnswer ->
                upgradeSafeguards.neverRepeatsUnknownCall()
                        ? verifyUnknownOutcome(noAnswer.text(), now)
                        : writePermit(now);
        };
    }

    private List<UpgradeAction> verifyUnknownOutcome(String reason, ClockReading now) {
        unknownOutcomeReason = "the call had no answer (" + reason + ")";
        return verifyNode(KnownOutcome.UNKNOWN, null, now);
    }

    /** k8sd did nothing: retries the call with another permit, unless calls have been blocked for too long. */
    private List<UpgradeAction> retryCall(FailureReason reason, String text, ClockReading now) {
        blockedCall = BlockedCall.startOrContinue(blockedCall, reason, now);
        AttemptReport overdue = blockedCall.failureIfOverdue(text, now);
        return overdue != null
                ? finish(overdue)
                : moveTo(new UpgradeState.InspectingNode(null), new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }

    /** Waits before the first poll of a change that has just started. */
    private List<UpgradeAction> waitForChange(String changeId, ClockReading now) {
        return moveTo(
                new UpgradeState.ResolvingOutcome(OutcomeResolver.startPollingChange(verification(), changeId, now)),
                new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    private List<UpgradeAction> pollChange(String changeId, ClockReading now) {
        return resolveOutcome(OutcomeResolver.startPollingChange(verification(), changeId, now));
    }

    private List<UpgradeAction> verifyNode(KnownOutcome knownOutcome, @Nullable String changeId, ClockReading now) {
        return resolveOutcome(OutcomeResolver.startVerifyingNode(verification(), knownOutcome, changeId, now));
    }

    private NodeVerification verification() {
        return new NodeVerification(upgradeSafeguards, upgrade, unknownOutcomeReason, revisionBeforeCall);
    }

    private List<UpgradeAction> resolveOutcome(OutcomeResolver outcomeResolver) {
        upgradeState = new UpgradeState.ResolvingOutcome(outcomeResolver);
        return outcomeResolver.begin();
    }

    // The end.

    private static AttemptReport successReport(NodeInspection.ObservedNode node, AttemptReport.SuccessProof proof) {
        return new AttemptReport.Succeeded(proof, node.revision(), node.version());
    }

    private List<UpgradeAction> finish(AttemptReport report) {
        return report instanceof AttemptReport.Succeeded success
                        && !postChecks().isEmpty()
                ? moveTo(
                        new UpgradeState.RunningPostChecks(new PostCheckState(success, null)),
                        new UpgradeAction.RunChecks(postChecks()))
                : cleanUpAndReport(report);
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
        return upgrade == null ? List.of() : upgrade.checks().afterCall();
    }

    private List<UpgradeAction> cleanUpAndReport(AttemptReport report) {
        return mayHaveGuards
                ? moveTo(new UpgradeState.CleaningUp(report), new UpgradeAction.CleanUp())
                : writeFinalReport(report);
    }

    private List<UpgradeAction> handleWaitElapsed() {
        return switch (upgradeState) {
            case UpgradeState.InspectingNode inspectingNode -> List.of(new UpgradeAction.InspectNode());
            case UpgradeState.RunningPostChecks runningPostChecks -> List.of(new UpgradeAction.RunChecks(postChecks()));
            default -> List.of();
        };
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

    /** Reports a step once: before the call only a lasting step is worth a record. */
    private List<UpgradeAction> reportStepOnce(AttemptStep step) {
        return step == lastReportedStep ? List.of() : List.of(stepReport(step, null));
    }

    private UpgradeAction stepReport(AttemptStep step, @Nullable String changeId) {
        lastReportedStep = step;
        return new UpgradeAction.WriteReport(new AttemptReport.StepReached(
                step, changeId, step.mayHaveCalled() ? verification().revisionToRecord() : null));
    }

    private static List<UpgradeAction> append(List<UpgradeAction> first, UpgradeAction then) {
        return first.isEmpty() ? List.of(then) : List.of(first.get(0), then);
    }
}
