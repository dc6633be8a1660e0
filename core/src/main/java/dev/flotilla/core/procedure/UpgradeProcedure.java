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
 * One attempt, as the owner of its partition drives it. After {@link #begin} it lives on signals; what it wants done is
 * what each returns. Signals that nothing waits for any more change nothing, so that a late answer does no harm.
 */
public final class UpgradeProcedure {
    private static final String LICENCE_LOST = "the licence was lost before the call";

    private final UpgradeSafeguards upgradeSafeguards;
    private final long attemptId;
    private WorkerCommand command;
    private WorkerCommand.@Nullable UpgradeMachine upgrade;
    private UpgradeState upgradeState = new UpgradeState.InspectingNode(null);
    private @Nullable AttemptStep said;
    private boolean guarded;
    private @Nullable String before;
    private String doubt = "a call may have been made";
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

    /** Whether it may be left as it is: whoever takes it up from what is written knows as much. */
    public boolean isSettled() {
        return upgradeState.isSettled(said == AttemptStep.STARTING);
    }

    /** Goes on from what was said last of this machine, by whomever. */
    public List<UpgradeAction> begin(@Nullable AttemptProgress last, ClockReading now) {
        if (last == null || last.attemptId() < attemptId) {
            return look(now);
        }
        if (last.attemptId() > attemptId) {
            return over();
        }
        return switch (last.report()) {
            case AttemptReport.StepReached stepReached -> resume(stepReached, now);
            case AttemptReport.OutcomeUnknown unknown -> {
                guarded = true;
                before = unknown.revisionBeforeCall();
                yield after(OutcomeResolver.unclear(verification(), unknown, now));
            }
            case AttemptReport.Succeeded done -> over();
            case AttemptReport.Failed done -> over();
            case AttemptReport.Cancelled done -> over();
            case AttemptReport.LeaseExpired done -> over();
            case AttemptReport.Deferred done -> over();
        };
    }

    private List<UpgradeAction> resume(AttemptReport.StepReached last, ClockReading now) {
        // Whoever said this may have set guards, and may be gone.
        guarded = last.step() != AttemptStep.PREFLIGHT;
        before = last.revisionBeforeCall();
        String changeId = last.changeId();
        return switch (last.step()) {
            case PREFLIGHT, GUARDING, DRAINING -> look(now);
            // Somebody had a licence, and may have used it.
            case STARTING ->
                upgradeSafeguards.neverRepeatsUnknownCall() ? verify(KnownOutcome.UNKNOWN, null, now) : look(now);
            case REFRESHING, API_AWAY -> watch(changeId == null ? "" : changeId, now);
            case VERIFYING, UNCORDONING ->
                verify(changeId == null ? KnownOutcome.UNKNOWN : KnownOutcome.DONE, changeId, now);
        };
    }

    public List<UpgradeAction> handle(UpgradeInput upgradeInput, ClockReading now) {
        if (upgradeState instanceof UpgradeState.ResolvingOutcome resolvingOutcome
                && !(upgradeInput instanceof UpgradeInput.CommandChanged)) {
            return switch (resolvingOutcome.resolver().handle(upgradeInput, now)) {
                case OutcomeResolver.ResolverStep.Continue more -> more.actions();
                case OutcomeResolver.ResolverStep.Finish end -> end(end.report());
            };
        }
        return switch (upgradeInput) {
            case UpgradeInput.CommandChanged commandChanged -> commanded(commandChanged.command());
            case UpgradeInput.ReportCommitted reportCommitted -> written(reportCommitted.report(), now);
            case UpgradeInput.NodeInspected nodeInspected ->
                upgradeState instanceof UpgradeState.InspectingNode inspectingNode
                        ? before(inspectingNode, nodeInspected.inspection(), now)
                        : List.of();
            case UpgradeInput.ConnectAttempted connectAttempted ->
                upgradeState instanceof UpgradeState.Connecting connecting
                        ? reached(connecting, connectAttempted.connectResult(), now)
                        : List.of();
            case UpgradeInput.ChecksRun checksRun -> checked(checksRun.failedChecks(), now);
            case UpgradeInput.GuardsSet verdict ->
                upgradeState instanceof UpgradeState.SettingGuards settingGuards
                        ? guarded(settingGuards, verdict.forbiddenReason(), now)
                        : List.of();
            case UpgradeInput.DrainStarted drainStarted ->
                upgradeState instanceof UpgradeState.SettingGuards ? say(AttemptStep.DRAINING) : List.of();
            case UpgradeInput.PreconditionsChecked verdict ->
                upgradeState instanceof UpgradeState.CheckingPreconditions checkingPreconditions
                        ? judged(checkingPreconditions, verdict.forbiddenReason(), now)
                        : List.of();
            case UpgradeInput.PermitExpired permitExpired ->
                upgradeState instanceof UpgradeState.CallingRefresh callingRefresh
                        ? to(
                                new UpgradeState.CheckingPreconditions(callingRefresh.permitSince()),
                                new UpgradeAction.CheckPreconditions())
                        : List.of();
            case UpgradeInput.CallReturned callReturned ->
                upgradeState instanceof UpgradeState.CallingRefresh
                        ? answered(callReturned.callResult(), now)
                        : List.of();
            case UpgradeInput.ChangePolled changePolled -> List.of();
            case UpgradeInput.WaitElapsed waitElapsed -> rested();
            case UpgradeInput.CleanedUp cleanedUp ->
                upgradeState instanceof UpgradeState.CleaningUp cleaningUp ? tell(cleaningUp.report()) : List.of();
            case UpgradeInput.SessionEnded ended -> sessionEnded(now);
            case UpgradeInput.HandingOver handingOver -> leaves();
        };
    }

    /** What would be written cannot be for now: nothing is called on it, and what was called is looked after without. */
    private List<UpgradeAction> sessionEnded(ClockReading now) {
        return switch (upgradeState) {
            case UpgradeState.WritingPermit writingPermit -> end(new AttemptReport.Deferred(LICENCE_LOST));
            case UpgradeState.CheckingPreconditions checkingPreconditions ->
                end(new AttemptReport.Deferred(LICENCE_LOST));
            case UpgradeState.RecordingChangeId recordingChangeId -> begun(recordingChangeId.changeId(), now);
            default -> List.of();
        };
    }

    /** A licence that was certainly not used is given back: whoever goes on may ask for another. */
    private List<UpgradeAction> leaves() {
        if (!upgradeState.isBeforeTheCall() || said != AttemptStep.STARTING) {
            return List.of();
        }
        return to(new UpgradeState.InspectingNode(null), saying(AttemptStep.GUARDING, null));
    }

    private List<UpgradeAction> commanded(WorkerCommand next) {
        command = next;
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            upgrade = machine;
            return List.of();
        }
        return upgradeState.isBeforeTheCall() && upgradeSafeguards.honoursCancel()
                ? end(new AttemptReport.Cancelled())
                : List.of();
    }

    // Before the call.

    private List<UpgradeAction> look(ClockReading now) {
        AttemptReport instead = stops(now);
        return instead != null
                ? end(instead)
                : to(new UpgradeState.InspectingNode(null), new UpgradeAction.InspectNode());
    }

    /** What is said instead of calling where the command has been taken back or has run out; else null. */
    private @Nullable AttemptReport stops(ClockReading now) {
        if (command instanceof WorkerCommand.CancelUpgrade && upgradeSafeguards.honoursCancel()) {
            return new AttemptReport.Cancelled();
        }
        return upgrade == null || now.monotonicMillis() >= upgradeSafeguards.leaseDeadline(upgrade, now)
                ? new AttemptReport.LeaseExpired()
                : null;
    }

    private List<UpgradeAction> before(
            UpgradeState.InspectingNode inspectingNode, NodeInspection nodeInspection, ClockReading now) {
        AttemptReport instead = stops(now);
        if (instead != null) {
            return end(instead);
        }
        return switch (nodeInspection) {
            case NodeInspection.MachineGone machineGone -> end(new AttemptReport.Deferred("no such machine"));
            case NodeInspection.Unreachable unreachable ->
                dark(inspectingNode.unreachableSince(), unreachable.text(), now);
            case NodeInspection.ObservedNode node -> {
                if (upgrade != null && node.ready() && NodeTargetMatcher.isAtTarget(node, upgrade)) {
                    yield end(success(node, AttemptReport.SuccessProof.UNCHANGED));
                }
                if (upgrade != null
                        && upgradeSafeguards.honoursPreconditions()
                        && NodeTargetMatcher.isDowngrade(node, upgrade)) {
                    yield end(new AttemptReport.Deferred("the node shows " + node.version() + ", which is newer than "
                            + upgrade.target() + ", and may not be downgraded"));
                }
                before = node.revision() == null ? "" : node.revision();
                // Not our change: wait until the node is idle, read its revision, then decide.
                yield node.busy()
                        ? waits(null)
                        : to(
                                new UpgradeState.Connecting(inspectingNode.unreachableSince()),
                                new UpgradeAction.ConnectToK8sd());
            }
        };
    }

    private List<UpgradeAction> dark(@Nullable Long darkSince, String text, ClockReading now) {
        long since = darkSince == null ? now.monotonicMillis() : darkSince;
        return now.monotonicMillis() - since > UpgradeTimeouts.UNREACHABLE
                ? end(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, text))
                : waits(since);
    }

    private List<UpgradeAction> reached(
            UpgradeState.Connecting connecting, ConnectResult connectResult, ClockReading now) {
        AttemptReport instead = stops(now);
        if (instead != null) {
            return end(instead);
        }
        return switch (connectResult) {
            case ConnectResult.Connected connected -> check(false, now);
            case ConnectResult.NotReachable notReachable ->
                dark(connecting.unreachableSince(), notReachable.text(), now);
            case ConnectResult.ConnectionRefused connectionRefused ->
                end(new AttemptReport.Failed(
                        connectionRefused.failureClass(), connectionRefused.reason(), connectionRefused.text()));
        };
    }

    private List<UpgradeAction> waits(@Nullable Long darkSince) {
        upgradeState = new UpgradeState.InspectingNode(darkSince);
        // Whoever takes this over must know of the guards.
        return and(
                say(guarded ? AttemptStep.GUARDING : AttemptStep.PREFLIGHT),
                new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }

    /** Before the guards, so that nothing is drained in vain; again after them where that took long. */
    private List<UpgradeAction> check(boolean isGuarded, ClockReading now) {
        List<HealthCheck> checks =
                upgrade == null ? List.of() : upgrade.checks().beforeCall();
        if (!checks.isEmpty()) {
            return to(new UpgradeState.RunningPreChecks(isGuarded), new UpgradeAction.RunChecks(checks));
        }
        return isGuarded ? license(now) : guard(now);
    }

    private List<UpgradeAction> checked(List<FailedCheck> findings, ClockReading now) {
        if (upgradeState instanceof UpgradeState.RunningPreChecks runningPreChecks) {
            AttemptReport instead = stops(now, PostCheckState.forbiddingCheck(findings));
            return instead != null ? end(instead) : runningPreChecks.guarded() ? license(now) : guard(now);
        }
        return upgradeState instanceof UpgradeState.RunningPostChecks runningPostChecks
                ? confirmed(runningPostChecks.postChecks(), findings, now)
                : List.of();
    }

    private List<UpgradeAction> guard(ClockReading now) {
        guarded = true;
        return to(new UpgradeState.SettingGuards(now.monotonicMillis()), new UpgradeAction.SetGuards());
    }

    private List<UpgradeAction> guarded(
            UpgradeState.SettingGuards settingGuards, @Nullable String forbidden, ClockReading now) {
        AttemptReport instead = stops(now, forbidden);
        boolean lasted = now.monotonicMillis() - settingGuards.since() > UpgradeTimeouts.CHECKED;
        return instead != null ? end(instead) : lasted ? check(true, now) : license(now);
    }

    private @Nullable AttemptReport stops(ClockReading now, @Nullable String forbidden) {
        AttemptReport instead = stops(now);
        return instead == null && forbidden != null && upgradeSafeguards.honoursPreconditions()
                ? new AttemptReport.Deferred(forbidden)
                : instead;
    }

    private List<UpgradeAction> license(ClockReading now) {
        return to(new UpgradeState.WritingPermit(now.monotonicMillis()), saying(AttemptStep.STARTING, null));
    }

    private List<UpgradeAction> written(AttemptReport report, ClockReading now) {
        if (!(report instanceof AttemptReport.StepReached stepReached)) {
            return List.of();
        }
        return switch (upgradeState) {
            case UpgradeState.WritingPermit writingPermit ->
                stepReached.step() == AttemptStep.STARTING
                        ? to(
                                new UpgradeState.CheckingPreconditions(writingPermit.since()),
                                new UpgradeAction.CheckPreconditions())
                        : List.of();
            case UpgradeState.RecordingChangeId recordingChangeId ->
                stepReached.step() == AttemptStep.REFRESHING ? begun(recordingChangeId.changeId(), now) : List.of();
            default -> List.of();
        };
    }

    private List<UpgradeAction> judged(
            UpgradeState.CheckingPreconditions checkingPreconditions, @Nullable String forbidden, ClockReading now) {
        AttemptReport instead = stops(now, forbidden);
        if (instead != null || upgrade == null) {
            return end(instead == null ? new AttemptReport.LeaseExpired() : instead);
        }
        long licensed = checkingPreconditions.permitSince();
        if (now.monotonicMillis() >= upgradeSafeguards.permitDeadline(licensed)) {
            return license(now);
        }
        long before =
                Math.min(upgradeSafeguards.permitDeadline(licensed), upgradeSafeguards.leaseDeadline(upgrade, now));
        return to(new UpgradeState.CallingRefresh(licensed), new UpgradeAction.CallRefresh(upgrade.target(), before));
    }

    // From the call on.

    private List<UpgradeAction> answered(CallResult callResult, ClockReading now) {
        return switch (callResult) {
            case CallResult.ChangeStarted changeStarted ->
                to(
                        new UpgradeState.RecordingChangeId(changeStarted.changeId()),
                        saying(AttemptStep.REFRESHING, changeStarted.changeId()));
            case CallResult.NothingToDo nothing -> verify(KnownOutcome.UNCHANGED, null, now);
            case CallResult.NodeBusy nodeBusy -> again(FailureReason.NODE_BUSY, nodeBusy.text(), now);
            case CallResult.NotSent not -> again(FailureReason.UNREACHABLE, not.text(), now);
            case CallResult.CallRejected callRejected ->
                end(new AttemptReport.Failed(callRejected.failureClass(), callRejected.reason(), callRejected.text()));
            case CallResult.NoAnswer noAnswer ->
                upgradeSafeguards.neverRepeatsUnknownCall() ? doubts(noAnswer.text(), now) : license(now);
        };
    }

    private List<UpgradeAction> doubts(String why, ClockReading now) {
        doubt = "the call had no answer (" + why + ")";
        return verify(KnownOutcome.UNKNOWN, null, now);
    }

    /** Certainly nothing was done: a call may follow under another licence, unless this has been so for too long. */
    private List<UpgradeAction> again(FailureReason reason, String text, ClockReading now) {
        blockedCall = BlockedCall.of(blockedCall, reason, now);
        AttemptReport overdue = blockedCall.overdue(text, now);
        return overdue != null
                ? end(overdue)
                : to(new UpgradeState.InspectingNode(null), new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }

    /** It has just begun: to ask at once would tell nothing. */
    private List<UpgradeAction> begun(String changeId, ClockReading now) {
        return to(
                new UpgradeState.ResolvingOutcome(OutcomeResolver.watching(verification(), changeId, now)),
                new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    private List<UpgradeAction> watch(String changeId, ClockReading now) {
        return after(OutcomeResolver.watching(verification(), changeId, now));
    }

    private List<UpgradeAction> verify(KnownOutcome knownOutcome, @Nullable String changeId, ClockReading now) {
        return after(OutcomeResolver.verifying(verification(), knownOutcome, changeId, now));
    }

    private NodeVerification verification() {
        return new NodeVerification(upgradeSafeguards, upgrade, doubt, before);
    }

    private List<UpgradeAction> after(OutcomeResolver outcomeResolver) {
        upgradeState = new UpgradeState.ResolvingOutcome(outcomeResolver);
        return outcomeResolver.begin();
    }

    // Ends.

    private static AttemptReport success(NodeInspection.ObservedNode node, AttemptReport.SuccessProof how) {
        return new AttemptReport.Succeeded(how, node.revision(), node.version());
    }

    private List<UpgradeAction> end(AttemptReport report) {
        return report instanceof AttemptReport.Succeeded success
                        && !confirmedBy().isEmpty()
                ? to(
                        new UpgradeState.RunningPostChecks(new PostCheckState(success, null)),
                        new UpgradeAction.RunChecks(confirmedBy()))
                : undo(report);
    }

    private List<UpgradeAction> confirmed(PostCheckState postCheckState, List<FailedCheck> findings, ClockReading now) {
        AttemptReport end = postCheckState.reportOf(findings, now);
        return end != null
                ? undo(end)
                : to(
                        new UpgradeState.RunningPostChecks(postCheckState.withFailure(now)),
                        new UpgradeAction.Wait(WaitReason.PROOF));
    }

    private List<HealthCheck> confirmedBy() {
        return upgrade == null ? List.of() : upgrade.checks().afterCall();
    }

    private List<UpgradeAction> undo(AttemptReport report) {
        return guarded ? to(new UpgradeState.CleaningUp(report), new UpgradeAction.CleanUp()) : tell(report);
    }

    private List<UpgradeAction> rested() {
        return switch (upgradeState) {
            case UpgradeState.InspectingNode inspectingNode -> List.of(new UpgradeAction.InspectNode());
            case UpgradeState.RunningPostChecks runningPostChecks ->
                List.of(new UpgradeAction.RunChecks(confirmedBy()));
            default -> List.of();
        };
    }

    private List<UpgradeAction> tell(AttemptReport report) {
        return to(new UpgradeState.Ended(), new UpgradeAction.WriteReport(report));
    }

    private List<UpgradeAction> over() {
        upgradeState = new UpgradeState.Ended();
        return List.of();
    }

    private List<UpgradeAction> to(UpgradeState next, UpgradeAction upgradeAction) {
        upgradeState = next;
        return List.of(upgradeAction);
    }

    /** Before the call only a step that lasts is worth a record; the same is said once. */
    private List<UpgradeAction> say(AttemptStep step) {
        return step == said ? List.of() : List.of(saying(step, null));
    }

    private UpgradeAction saying(AttemptStep step, @Nullable String changeId) {
        said = step;
        return new UpgradeAction.WriteReport(new AttemptReport.StepReached(
                step, changeId, step.mayHaveCalled() ? verification().remembered() : null));
    }

    private static List<UpgradeAction> and(List<UpgradeAction> first, UpgradeAction then) {
        return first.isEmpty() ? List.of(then) : List.of(first.get(0), then);
    }
}
