package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.command.CommandedUpgrade;
import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WorkerCommand;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The upgrade of one machine in one attempt, or its preparation: performs the actions of its {@link CommandedUpgrade}. */
final class MachineUpgrade {
    private final CommandPartition commandPartition;
    private final WorkerLoopContext workerLoopContext;
    private final CommandedUpgrade upgrade;
    private final UpgradeAttemptParameters parameters;
    private final PollIntervalEstimator.MachineKind machineKind;
    private final UpgradeStartLimiter.StartSlot startSlot;
    private final AttemptCleanup attemptCleanup;
    private @Nullable NodeUpgrader nodeUpgrader;
    /** The node's status from before this time proves nothing; null before the call. */
    private @Nullable Instant ignoreStatusBefore;

    private long calledAt;
    /** When the end of the change was noticed; before that, when the node was called. */
    private long endedAt;

    MachineUpgrade(CommandPartition commandPartition, WorkerLoopContext workerLoopContext, CommandedUpgrade upgrade) {
        WorkerCommand command = upgrade.firstCommand();
        this.commandPartition = commandPartition;
        this.workerLoopContext = workerLoopContext;
        this.upgrade = upgrade;
        this.parameters =
                parameters(command, commandPartition.commandPartition().partition() + "/" + workerLoopContext.name());
        this.machineKind = new PollIntervalEstimator.MachineKind(
                parameters.role(),
                command instanceof WorkerCommand.UpgradeMachine machine ? machine.machineClass() : null);
        this.startSlot = workerLoopContext.startLimiter().newSlot();
        this.attemptCleanup = new AttemptCleanup(parameters, workerLoopContext);
        this.calledAt = workerLoopContext.clock().monotonicMillis();
        this.endedAt = calledAt;
    }

    /** Creates the parameters. A cancel command has no cap, because no preconditions are checked for it. */
    private static UpgradeAttemptParameters parameters(WorkerCommand command, String owner) {
        UpgradeAttemptParameters parameters = parametersWithK8sd(command, owner);
        NodeUpgradeParameters nodeUpgrade = NodeUpgradeParameters.of(command);
        return nodeUpgrade == null ? parameters : parameters.withNodeUpgrade(nodeUpgrade);
    }

    private static UpgradeAttemptParameters parametersWithK8sd(WorkerCommand command, String owner) {
        return switch (command) {
            case WorkerCommand.UpgradeMachine upgrade ->
                new UpgradeAttemptParameters(
                        upgrade.key(),
                        upgrade.uid(),
                        upgrade.attemptId(),
                        upgrade.role(),
                        upgrade.maxUnavailable(),
                        owner,
                        upgrade.checks().maxBackupAge(),
                        upgrade.drainMode(),
                        upgrade.mode(),
                        null);
            case WorkerCommand.PrepareMachine prepare ->
                new UpgradeAttemptParameters(
                        prepare.key(), prepare.uid(), prepare.attemptId(), prepare.role(), 0, owner);
            case WorkerCommand.CancelUpgrade cancel ->
                new UpgradeAttemptParameters(
                        cancel.key(),
                        cancel.uid(),
                        cancel.attemptId(),
                        cancel.upgrade() == null
                                ? MachineRole.WORKER
                                : cancel.upgrade().role(),
                        0,
                        owner);
        };
    }

    void startUpgrade(@Nullable AttemptProgress last) {
        boolean resumed = false;
        if (last != null && last.attemptId() == parameters.attemptId()) {
            resumed = true;
            if (mayHaveCalled(last.report())) {
                ignoreStatusBefore = last.reportedAt();
            }
            // If the last report says that the node was called, the call was shortly before it.
            calledAt -= Math.max(
                    0,
                    workerLoopContext.clock().wallMillis() - last.reportedAt().toEpochMilli());
        }
        nodeUpgrader = workerLoopContext.upgraders().createUpgrader(parameters, resumed);
        workerLoopContext.listener().attemptStarted(parameters);
        perform(upgrade.begin(last, workerLoopContext.clock().readClocks()));
    }

    private static boolean mayHaveCalled(AttemptReport report) {
        return report instanceof AttemptReport.OutcomeUnknown
                || (report instanceof AttemptReport.StepReached stepReached
                        && stepReached.step().mayHaveCalled());
    }

    /** Stops because another worker owns the partition. */
    void onPartitionLost() {
        attemptCleanup.onPartitionLost();
        stopUpgrade();
    }

    /** Stops because another worker runs this upgrade, or its command was removed. */
    void stopUpgrade() {
        startSlot.releaseSlot();
        requireUpgrader().releaseNode();
    }

    /** Cleans up after the command was removed. */
    void cleanUpAbandoned() {
        startSlot.releaseSlot();
        cleanUp();
    }

    void onReportCommitted(AttemptReport report) {
        reachCrashPoint(UpgradeCrashPoint.afterReport(report));
        handleInput(new UpgradeInput.ReportCommitted(report));
        if (upgrade.isEndedBy(report)) {
            workerLoopContext.listener().attemptEnded(parameters, report);
            requireUpgrader().releaseNode();
        }
    }

    private void reachCrashPoint(@Nullable UpgradeCrashPoint upgradeCrashPoint) {
        if (upgradeCrashPoint != null) {
            workerLoopContext.listener().crashPointReached(upgradeCrashPoint);
        }
    }

    private NodeUpgrader requireUpgrader() {
        if (nodeUpgrader == null) {
            throw new IllegalStateException(parameters + " has not begun");
        }
        return nodeUpgrader;
    }

    private void handleInput(UpgradeInput upgradeInput) {
        perform(upgrade.handle(upgradeInput, workerLoopContext.clock().readClocks()));
    }

    void perform(List<UpgradeAction> actions) {
        actions.forEach(this::perform);
        if (upgrade.isStopped()) {
            startSlot.releaseSlot();
        }
    }

    private void perform(UpgradeAction upgradeAction) {
        if (ignoreStatusBefore == null && UpgradeStartLimiter.needsSlot(upgradeAction)) {
            startSlot.runWithSlot(() -> performNow(upgradeAction));
        } else {
            startSlot.releaseSlot();
            performNow(upgradeAction);
        }
    }

    private void performNow(UpgradeAction upgradeAction) {
        reachCrashPoint(UpgradeCrashPoint.beforeAction(upgradeAction));
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> writeReport(writeReport.report());
            case UpgradeAction.InspectNode inspectNode ->
                handleResult(
                        requireUpgrader().inspectNode(ignoreStatusBefore),
                        NodeInspection.Unreachable::new,
                        UpgradeInput.NodeInspected::new);
            case UpgradeAction.ConnectToProvider connectToProvider ->
                handleResult(
                        requireUpgrader().connectToProvider(),
                        ConnectResult.NotReachable::new,
                        UpgradeInput.ConnectAttempted::new);
            case UpgradeAction.RunChecks runChecks -> runChecks(runChecks.healthChecks());
            case UpgradeAction.SetGuards setGuards ->
                this.<@Nullable String>handleResult(
                        requireUpgrader()
                                .setGuards(
                                        leaseExpiresAt(),
                                        () -> workerLoopContext.submit(
                                                () -> handleInput(new UpgradeInput.DrainStarted()))),
                        blockedReason -> blockedReason,
                        UpgradeInput.GuardsSet::new);
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                this.<@Nullable String>handleResult(
                        requireUpgrader().checkPreconditions(),
                        blockedReason -> blockedReason,
                        UpgradeInput.PreconditionsChecked::new);
            case UpgradeAction.CallUpgrade callUpgrade -> callUpgrade(callUpgrade);
            case UpgradeAction.PollChange pollChange ->
                handlePollResult(requireUpgrader().pollChange(pollChange.changeId()));
            case UpgradeAction.AbortChange abortChange ->
                handlePollResult(requireUpgrader().abortChange(abortChange.changeId()));
            case UpgradeAction.Wait wait ->
                workerLoopContext.schedule(
                        workerLoopContext
                                .pollIntervals()
                                .intervalMillis(
                                        wait.reason(),
                                        machineKind,
                                        workerLoopContext.clock().monotonicMillis() - waitStartOf(wait.reason())),
                        () -> handleInput(new UpgradeInput.WaitElapsed()));
            case UpgradeAction.CleanUp cleanUp -> cleanUp();
        }
    }

    private Instant leaseExpiresAt() {
        WorkerCommand.UpgradeMachine command = upgrade.upgradeCommand();
        return command == null ? Instant.MAX : command.leaseExpiresAt();
    }

    private long waitStartOf(WaitReason waitReason) {
        return waitReason == WaitReason.PROOF ? endedAt : calledAt;
    }

    private void runChecks(List<HealthCheck> checks) {
        handleResult(
                requireUpgrader().runChecks(checks),
                reason -> checks.stream()
                        .map(check -> new FailedCheck(check, reason))
                        .toList(),
                failedChecks -> {
                    workerLoopContext.listener().checksRun(parameters, failedChecks);
                    return new UpgradeInput.ChecksRun(failedChecks);
                });
    }

    /** Writes a report; that of a failure contains evidence. */
    private void writeReport(AttemptReport report) {
        if (!(report instanceof AttemptReport.Failed failed)) {
            perform(commandPartition.enqueueReport(upgrade, report));
            return;
        }
        requireUpgrader()
                .collectEvidence()
                .onComplete(evidenceResult -> workerLoopContext.submit(() -> {
                    FailureEvidence evidence =
                            evidenceResult.succeeded() ? evidenceResult.result() : noEvidence(evidenceResult.cause());
                    perform(commandPartition.enqueueReport(upgrade, failed.with(evidence)));
                }));
    }

    private static FailureEvidence noEvidence(Throwable failure) {
        return new FailureEvidence(List.of(ExpectedFailureMessage.messageOf(failure)), List.of(), List.of());
    }

    private void callUpgrade(UpgradeAction.CallUpgrade callUpgrade) {
        CommandPartition.CallPermitSession callPermitSession = commandPartition.session();
        calledAt = workerLoopContext.clock().monotonicMillis();
        if (upgrade.isPreparation()) {
            workerLoopContext.listener().preparationCalled(parameters);
        } else {
            workerLoopContext.listener().upgradeCalled(parameters);
        }
        // After any failure, also a bug, the node may have received the call, and that is what must be reported first.
        Future<CallResult> result = requireUpgrader()
                .callUpgrade(
                        callUpgrade.target(),
                        () -> callPermitSession.isOpen()
                                && callUpgrade.isInTime(
                                        workerLoopContext.clock().monotonicMillis()))
                .otherwise(failure -> new CallResult.NoAnswer(String.valueOf(failure.getMessage())));
        handleResult(result, CallResult.NoAnswer::new, callResult -> {
            reachCrashPoint(UpgradeCrashPoint.CALLED);
            if (callResult instanceof CallResult.NoAnswer) {
                ignoreStatusBefore =
                        Instant.ofEpochMilli(workerLoopContext.clock().wallMillis());
            }
            return new UpgradeInput.CallReturned(callResult);
        });
    }

    private void handlePollResult(Future<ChangeStatus> status) {
        workerLoopContext.listener().changePolled(parameters);
        handleResult(status, ChangeStatus.StatusUnavailable::new, this::toChangePolled);
    }

    private UpgradeInput toChangePolled(ChangeStatus changeStatus) {
        boolean first = ignoreStatusBefore == null;
        if (changeStatus instanceof ChangeStatus.ChangeDone
                || (first
                        && (changeStatus instanceof ChangeStatus.AwaitsPeers
                                || changeStatus instanceof ChangeStatus.ChangeForgotten))) {
            ignoreStatusBefore = Instant.ofEpochMilli(workerLoopContext.clock().wallMillis());
        }
        if (changeStatus instanceof ChangeStatus.ChangeDone) {
            endedAt = workerLoopContext.clock().monotonicMillis();
            workerLoopContext
                    .pollIntervals()
                    .recordDuration(machineKind, workerLoopContext.clock().monotonicMillis() - calledAt);
        } else if (changeStatus instanceof ChangeStatus.ChangeFailed) {
            workerLoopContext.pollIntervals().recordFailure(machineKind);
        }
        return new UpgradeInput.ChangePolled(changeStatus);
    }

    private void cleanUp() {
        attemptCleanup.cleanUp(requireUpgrader(), () -> {
            if (upgrade.isStopped()) {
                requireUpgrader().releaseNode();
            }
            handleInput(new UpgradeInput.CleanedUp());
        });
    }

    /**
     * Passes the result of a request to the procedure. An expected failure becomes a result with its reason; any other
     * one is a bug and ends the loop.
     */
    private <T extends @Nullable Object> void handleResult(
            Future<T> request, Function<String, T> failed, Function<T, UpgradeInput> toInput) {
        request.onComplete(answer -> workerLoopContext.submit(() -> {
            // A stopped upgrade closes its connections, so that its open requests fail in any way.
            if (!upgrade.isStopped() && !upgrade.hasEnded()) {
                handleInput(toInput.apply(
                        answer.succeeded()
                                ? answer.result()
                                : failed.apply(ExpectedFailureMessage.messageOf(answer.cause()))));
            }
        }));
    }
}
