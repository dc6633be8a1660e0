package dev.flotilla.nodeworker.fault;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs an attempt with the real procedure and node upgrader, one action after another; the test replaces the worker's
 * loop.
 */
final class UpgradeProcedureRunner {
    private static final long ATTEMPT = 7;
    private static final PollIntervalEstimator.MachineKind KIND =
            new PollIntervalEstimator.MachineKind(MachineRole.WORKER, null);
    private static final Duration PATIENCE = Duration.ofHours(3);

    private final FaultTestBed faultTestBed;
    private final UpgradeProcedure procedure;
    private final NodeUpgrader nodeUpgrader;
    private final Deque<UpgradeAction> todo = new ArrayDeque<>();
    private final List<AttemptReport> reports = new ArrayList<>();
    private @Nullable Instant changedAt;
    private final @Nullable PollIntervalEstimator pollIntervalEstimator;
    private long calledAt;
    private long endedAt;

    private UpgradeProcedureRunner(FaultTestBed faultTestBed, @Nullable PollIntervalEstimator pollIntervalEstimator)
            throws Exception {
        this.faultTestBed = faultTestBed;
        this.pollIntervalEstimator = pollIntervalEstimator;
        WorkerCommand.UpgradeMachine command = faultTestBed.command(ATTEMPT);
        this.procedure = new UpgradeProcedure(
                faultTestBed.isCancelled
                        ? new WorkerCommand.CancelUpgrade(command.key(), command.uid(), ATTEMPT, "freeze")
                        : command,
                UpgradeSafeguards.ALL);
        this.nodeUpgrader = faultTestBed.nodeUpgraders().createUpgrader(faultTestBed.attemptParameters(ATTEMPT), false);
    }

    /** Runs it to its end, or until the outcome stays unknown for hours; returns all reports. */
    static List<AttemptReport> toItsEnd(FaultTestBed faultTestBed) throws Exception {
        return toItsEnd(faultTestBed, null);
    }

    /**
     * The same at the pace of a worker.
     *
     * @param asking null for steps that are the same for all
     */
    static List<AttemptReport> toItsEnd(
            FaultTestBed faultTestBed, @Nullable PollIntervalEstimator pollIntervalEstimator) throws Exception {
        faultTestBed.pass(faultTestBed.headStart);
        UpgradeProcedureRunner upgradeProcedureRunner = new UpgradeProcedureRunner(faultTestBed, pollIntervalEstimator);
        upgradeProcedureRunner.todo.addAll(upgradeProcedureRunner.procedure.begin(null, faultTestBed.readClocks()));
        long end = faultTestBed.readClocks().monotonicMillis() + PATIENCE.toMillis();
        while (!upgradeProcedureRunner.todo.isEmpty()
                && faultTestBed.readClocks().monotonicMillis() < end) {
            upgradeProcedureRunner.perform(upgradeProcedureRunner.todo.remove());
        }
        upgradeProcedureRunner.nodeUpgrader.releaseNode();
        return upgradeProcedureRunner.reports;
    }

    private void signal(UpgradeInput upgradeInput) {
        todo.addAll(procedure.handle(upgradeInput, faultTestBed.readClocks()));
    }

    private void perform(UpgradeAction upgradeAction) throws Exception {
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> {
                reports.add(writeReport.report());
                signal(new UpgradeInput.ReportCommitted(writeReport.report()));
            }
            case UpgradeAction.InspectNode inspectNode ->
                signal(new UpgradeInput.NodeInspected(FaultTestBed.get(nodeUpgrader.inspectNode(changedAt))));
            case UpgradeAction.ConnectToProvider connectToProvider ->
                signal(new UpgradeInput.ConnectAttempted(FaultTestBed.get(nodeUpgrader.connectToProvider())));
            case UpgradeAction.RunChecks runChecks ->
                signal(new UpgradeInput.ChecksRun(FaultTestBed.get(nodeUpgrader.runChecks(runChecks.healthChecks()))));
            case UpgradeAction.SetGuards setGuards ->
                signal(new UpgradeInput.GuardsSet(
                        FaultTestBed.get(nodeUpgrader.setGuards(now().plusSeconds(60), () -> {}))));
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                signal(new UpgradeInput.PreconditionsChecked(FaultTestBed.get(nodeUpgrader.checkPreconditions())));
            case UpgradeAction.CallUpgrade callUpgrade -> {
                calledAt = faultTestBed.readClocks().monotonicMillis();
                endedAt = calledAt;
                CallResult callResult = FaultTestBed.get(nodeUpgrader.callUpgrade(
                        callUpgrade.target(),
                        () -> faultTestBed.readClocks().monotonicMillis() < callUpgrade.permitDeadline()));
                changedAt = callResult instanceof CallResult.NoAnswer ? now() : changedAt;
                signal(new UpgradeInput.CallReturned(callResult));
            }
            case UpgradeAction.PollChange pollChange ->
                signalPolled(FaultTestBed.get(nodeUpgrader.pollChange(pollChange.changeId())));
            case UpgradeAction.AbortChange abortChange ->
                signalPolled(FaultTestBed.get(nodeUpgrader.abortChange(abortChange.changeId())));
            case UpgradeAction.Wait wait -> {
                faultTestBed.pass(pause(wait.reason()));
                signal(new UpgradeInput.WaitElapsed());
            }
            case UpgradeAction.CleanUp cleanUp -> {
                FaultTestBed.get(nodeUpgrader.cleanUp());
                signal(new UpgradeInput.CleanedUp());
            }
        }
    }

    private void signalPolled(ChangeStatus status) {
        boolean tells = status instanceof ChangeStatus.ChangeDone || status instanceof ChangeStatus.ChangeForgotten;
        changedAt = tells || (changedAt == null && status instanceof ChangeStatus.AwaitsPeers) ? now() : changedAt;
        if (status instanceof ChangeStatus.ChangeDone) {
            endedAt = faultTestBed.readClocks().monotonicMillis();
            if (pollIntervalEstimator != null) {
                pollIntervalEstimator.recordDuration(KIND, endedAt - calledAt);
            }
        }
        signal(new UpgradeInput.ChangePolled(status));
    }

    private Instant now() {
        return Instant.ofEpochMilli(faultTestBed.readClocks().wallMillis());
    }

    private Duration pause(WaitReason waitReason) {
        if (pollIntervalEstimator == null) {
            return length(waitReason);
        }
        long since = waitReason == WaitReason.PROOF ? endedAt : calledAt;
        return Duration.ofMillis(pollIntervalEstimator.intervalMillis(
                waitReason, KIND, faultTestBed.readClocks().monotonicMillis() - since));
    }

    private static Duration length(WaitReason waitReason) {
        return switch (waitReason) {
            case IDLE_NODE, CHANGE -> Duration.ofSeconds(20);
            case PROOF -> Duration.ofSeconds(12);
            case LATE_PROOF -> Duration.ofMinutes(5);
        };
    }
}
