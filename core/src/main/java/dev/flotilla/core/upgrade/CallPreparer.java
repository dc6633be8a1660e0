package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the call, and decides until the last moment whether it may be made. What it has learned about the attempt
 * stays valid after the call.
 */
final class CallPreparer {
    private final UpgradeSafeguards upgradeSafeguards;
    private WorkerCommand command;
    private WorkerCommand.@Nullable UpgradeMachine upgrade;
    private PreparationState state = new PreparationState.InspectingNode(null);
    private @Nullable AttemptStep lastReportedStep;
    private boolean mayHaveGuards;
    private @Nullable String revisionBeforeCall;

    CallPreparer(WorkerCommand command, UpgradeSafeguards upgradeSafeguards) {
        this.command = command;
        this.upgrade = switch (command) {
            case WorkerCommand.UpgradeMachine machine -> machine;
            case WorkerCommand.CancelUpgrade cancel -> cancel.expiredUpgrade();
            case WorkerCommand.PrepareMachine prepare ->
                throw new IllegalArgumentException("a PreparationProcedure carries out " + prepare);
        };
        this.upgradeSafeguards = upgradeSafeguards;
    }

    /** The next actions, the call, or the report that ends the attempt. */
    sealed interface PreparerStep {
        record Continue(List<UpgradeAction> actions) implements PreparerStep {}

        record Call(UpgradeAction.CallUpgrade action) implements PreparerStep {}

        record Finish(AttemptReport report) implements PreparerStep {}
    }

    /** Replaces the command by its newest version: renewed or cancelled. */
    void replaceCommand(WorkerCommand next) {
        command = next;
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            upgrade = machine;
        }
    }

    /** Restores what the last report tells about the time before the call. */
    void restore(boolean guardsMayBeSet, @Nullable String recordedRevision) {
        mayHaveGuards = guardsMayBeSet;
        revisionBeforeCall = recordedRevision;
    }

    /** The upgrade; null if only its cancellation is known. */
    WorkerCommand.@Nullable UpgradeMachine upgrade() {
        return upgrade;
    }

    boolean isCancelled() {
        return command instanceof WorkerCommand.CancelUpgrade && upgradeSafeguards.honoursCancel();
    }

    /** Whether a change that runs must be aborted. */
    boolean mustAbortChange() {
        return isCancelled() && command.provider().canAbort();
    }

    /** Whether this worker, or one before it, may have set guards. */
    boolean mayHaveGuards() {
        return mayHaveGuards;
    }

    /** The revision that the node showed before the call, empty if it showed none; null if unknown. */
    @Nullable
    String revisionBeforeCall() {
        return revisionBeforeCall;
    }

    /** Whether another worker can continue from the written reports alone. */
    boolean isSettled() {
        return state.isSettled(lastReportedStep == AttemptStep.STARTING);
    }

    PreparerStep handle(UpgradeInput upgradeInput, ClockReading now) {
        return switch (upgradeInput) {
            case UpgradeInput.NodeInspected nodeInspected ->
                state instanceof PreparationState.InspectingNode inspectingNode
                        ? handleInspection(inspectingNode, nodeInspected.inspection(), now)
                        : ignore();
            case UpgradeInput.ConnectAttempted connectAttempted ->
                state instanceof PreparationState.Connecting connecting
                        ? handleConnectResult(connecting, connectAttempted.connectResult(), now)
                        : ignore();
            case UpgradeInput.ChecksRun checksRun ->
                state instanceof PreparationState.RunningPreChecks runningPreChecks
                        ? handlePreChecks(runningPreChecks, checksRun.failedChecks(), now)
                        : ignore();
            case UpgradeInput.GuardsSet verdict ->
                state instanceof PreparationState.SettingGuards settingGuards
                        ? handleGuardsSet(settingGuards, verdict.forbiddenReason(), now)
                        : ignore();
            case UpgradeInput.DrainStarted drainStarted ->
                state instanceof PreparationState.SettingGuards
                        ? new PreparerStep.Continue(reportStepOnce(AttemptStep.DRAINING))
                        : ignore();
            case UpgradeInput.ReportCommitted reportCommitted ->
                state instanceof PreparationState.WritingPermit writingPermit
                        ? handleReportCommitted(writingPermit, reportCommitted.report())
                        : ignore();
            case UpgradeInput.PreconditionsChecked verdict ->
                state instanceof PreparationState.CheckingPreconditions checkingPreconditions
                        ? handlePreconditionsChecked(checkingPreconditions, verdict.forbiddenReason(), now)
                        : ignore();
            case UpgradeInput.WaitElapsed waitElapsed ->
                state instanceof PreparationState.InspectingNode ? perform(new UpgradeAction.InspectNode()) : ignore();
            case UpgradeInput.SessionEnded ended -> handleSessionEnded();
            case UpgradeInput.HandingOver handingOver -> returnUnusedPermit();
            default -> ignore();
        };
    }

    // The node.

    /** The first step of an attempt: inspects the node. */
    PreparerStep inspectNode(ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now);
        return endReport != null
                ? finish(endReport)
                : moveTo(new PreparationState.InspectingNode(null), new UpgradeAction.InspectNode());
    }

    /** Starts again after a call that was not accepted, once the node is idle. */
    PreparerStep waitToRetryCall() {
        return moveTo(new PreparationState.InspectingNode(null), new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }

    private PreparerStep handleInspection(
            PreparationState.InspectingNode inspectingNode, NodeInspection nodeInspection, ClockReading now) {
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
                    yield finish(new AttemptReport.Succeeded(
                            AttemptReport.SuccessProof.UNCHANGED, node.revision(), node.version()));
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
                                new PreparationState.Connecting(inspectingNode.unreachableSince()),
                                new UpgradeAction.ConnectToProvider());
            }
        };
    }

    private PreparerStep handleConnectResult(
            PreparationState.Connecting connecting, ConnectResult connectResult, ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now);
        if (endReport != null) {
            return finish(endReport);
        }
        return switch (connectResult) {
            case ConnectResult.Connected connected -> runPreChecks(false, now);
            case ConnectResult.NotReachable notReachable ->
                waitOrFailUnreachable(connecting.unreachableSince(), notReachable.text(), now);
            case ConnectResult.NotConfigured notConfigured -> finish(new AttemptReport.Deferred(notConfigured.text()));
            case ConnectResult.ConnectionRefused connectionRefused ->
                finish(new AttemptReport.Failed(
                        connectionRefused.failureClass(), connectionRefused.reason(), connectionRefused.text()));
        };
    }

    private PreparerStep waitOrFailUnreachable(@Nullable Long unreachableSince, String text, ClockReading now) {
        long since = unreachableSince == null ? now.monotonicMillis() : unreachableSince;
        return now.monotonicMillis() - since > UpgradeTimeouts.UNREACHABLE
                ? finish(new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, text))
                : waitForIdleNode(since);
    }

    private PreparerStep waitForIdleNode(@Nullable Long unreachableSince) {
        state = new PreparationState.InspectingNode(unreachableSince);
        // A worker that takes over must know about the guards.
        return new PreparerStep.Continue(append(
                reportStepOnce(mayHaveGuards ? AttemptStep.GUARDING : AttemptStep.PREFLIGHT),
                new UpgradeAction.Wait(WaitReason.IDLE_NODE)));
    }

    // Checks and guards.

    /**
     * Runs the checks before the guards are set, so that no pod is evicted in vain, and again if setting them took
     * long.
     */
    private PreparerStep runPreChecks(boolean isGuarded, ClockReading now) {
        List<HealthCheck> checks =
                upgrade == null ? List.of() : upgrade.checks().beforeCall();
        if (!checks.isEmpty()) {
            return moveTo(new PreparationState.RunningPreChecks(isGuarded), new UpgradeAction.RunChecks(checks));
        }
        return isGuarded ? writePermit(now) : setGuards(now);
    }

    private PreparerStep handlePreChecks(
            PreparationState.RunningPreChecks runningPreChecks, List<FailedCheck> failedChecks, ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now, PostCheckState.forbiddingCheck(failedChecks));
        return endReport != null ? finish(endReport) : runningPreChecks.guarded() ? writePermit(now) : setGuards(now);
    }

    private PreparerStep setGuards(ClockReading now) {
        mayHaveGuards = true;
        return moveTo(new PreparationState.SettingGuards(now.monotonicMillis()), new UpgradeAction.SetGuards());
    }

    private PreparerStep handleGuardsSet(
            PreparationState.SettingGuards settingGuards, @Nullable String forbiddenReason, ClockReading now) {
        AttemptReport endReport = reportInsteadOfCall(now, forbiddenReason);
        boolean checksOutdated = now.monotonicMillis() - settingGuards.since() > UpgradeTimeouts.CHECK_RESULTS_VALID;
        return endReport != null ? finish(endReport) : checksOutdated ? runPreChecks(true, now) : writePermit(now);
    }

    // The call permit.

    /** Writes a call permit, which lets this worker make the one call. */
    PreparerStep writePermit(ClockReading now) {
        return moveTo(new PreparationState.WritingPermit(now.monotonicMillis()), stepReport(AttemptStep.STARTING));
    }

    private PreparerStep handleReportCommitted(
            PreparationState.WritingPermit writingPermit, AttemptReport attemptReport) {
        return attemptReport instanceof AttemptReport.StepReached stepReached
                        && stepReached.step() == AttemptStep.STARTING
                ? moveTo(
                        new PreparationState.CheckingPreconditions(writingPermit.since()),
                        new UpgradeAction.CheckPreconditions())
                : ignore();
    }

    private PreparerStep handlePreconditionsChecked(
            PreparationState.CheckingPreconditions checkingPreconditions,
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
        return new PreparerStep.Call(new UpgradeAction.CallUpgrade(upgrade.target(), callDeadline));
    }

    /** Reports cannot be written for now, and the permit must not be used: this ends the attempt. */
    private PreparerStep handleSessionEnded() {
        return state instanceof PreparationState.WritingPermit
                        || state instanceof PreparationState.CheckingPreconditions
                ? finish(new AttemptReport.Deferred("the call permit was lost before the call"))
                : ignore();
    }

    /** Returns an unused call permit, so that the next worker can write another. */
    private PreparerStep returnUnusedPermit() {
        return lastReportedStep == AttemptStep.STARTING
                ? moveTo(new PreparationState.InspectingNode(null), stepReport(AttemptStep.GUARDING))
                : ignore();
    }

    // Reports.

    private @Nullable AttemptReport reportInsteadOfCall(ClockReading now, @Nullable String forbiddenReason) {
        AttemptReport endReport = reportInsteadOfCall(now);
        return endReport == null && forbiddenReason != null && upgradeSafeguards.honoursPreconditions()
                ? new AttemptReport.Deferred(forbiddenReason)
                : endReport;
    }

    /** The report that ends the attempt because its command was cancelled or its lease has expired; otherwise null. */
    private @Nullable AttemptReport reportInsteadOfCall(ClockReading now) {
        if (isCancelled()) {
            return new AttemptReport.Cancelled();
        }
        return upgrade == null || now.monotonicMillis() >= upgradeSafeguards.leaseDeadline(upgrade, now)
                ? new AttemptReport.LeaseExpired()
                : null;
    }

    /** Reports a step once: before the call only a lasting step is worth a record. */
    private List<UpgradeAction> reportStepOnce(AttemptStep step) {
        return step == lastReportedStep ? List.of() : List.of(stepReport(step));
    }

    private UpgradeAction stepReport(AttemptStep step) {
        lastReportedStep = step;
        return new UpgradeAction.WriteReport(new AttemptReport.StepReached(
                step,
                null,
                step.mayHaveCalled() ? NodeTargetMatcher.revisionToRecord(upgrade, revisionBeforeCall) : null));
    }

    private static List<UpgradeAction> append(List<UpgradeAction> first, UpgradeAction then) {
        return first.isEmpty() ? List.of(then) : List.of(first.get(0), then);
    }

    private PreparerStep moveTo(PreparationState nextState, UpgradeAction upgradeAction) {
        state = nextState;
        return perform(upgradeAction);
    }

    private static PreparerStep perform(UpgradeAction upgradeAction) {
        return new PreparerStep.Continue(List.of(upgradeAction));
    }

    private static PreparerStep finish(AttemptReport report) {
        return new PreparerStep.Finish(report);
    }

    private static PreparerStep ignore() {
        return new PreparerStep.Continue(List.of());
    }
}
