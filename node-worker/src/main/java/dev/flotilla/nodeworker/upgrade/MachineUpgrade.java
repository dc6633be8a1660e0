package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.core.procedure.UpgradeProcedure;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.core.procedure.WaitReason;
import dev.flotilla.nodeworker.node.UpgradeAttemptParameters;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WorkerCommand;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One attempt in our hands. */
final class MachineUpgrade {
    /** What was done to the objects is tried so often to be undone before the end is told regardless. */
    private static final int MOST_UNDOING = 12;

    /** And then so often again, at a slow pace: a day in all. */
    private static final int MOST_CLEANING_UP = 288;

    private static final long CLEANING_UP_PAUSE = 300_000;

    private final CommandPartition commandPartition;
    private final WorkerLoopContext workerLoopContext;
    private final UpgradeProcedure procedure;
    private final UpgradeAttemptParameters upgradeRequest;
    private final PollIntervalEstimator.MachineKind machineKind;
    private final UpgradeStartLimiter.StartSlot start;
    private @Nullable NodeUpgrader nodeUpgrader;
    private Instant leaseExpiresAt = Instant.MAX;
    /** What the node said before then proves nothing; null before the call. */
    private @Nullable Instant ignoreStatusBefore;

    private long calledAt;
    /** When the change's end was noticed; before that, when it was called. */
    private long endedAt;

    private boolean stopped;
    /** Whether the partition is somebody else's. */
    private boolean lost;

    private boolean handingOver;
    private boolean gathering;

    MachineUpgrade(CommandPartition commandPartition, WorkerLoopContext workerLoopContext, WorkerCommand command) {
        this.commandPartition = commandPartition;
        this.workerLoopContext = workerLoopContext;
        this.procedure = new UpgradeProcedure(command, UpgradeSafeguards.ALL);
        this.upgradeRequest = upgradeRequest(
                command, commandPartition.commandPartition().partition() + "/" + workerLoopContext.name());
        this.machineKind = new PollIntervalEstimator.MachineKind(
                upgradeRequest.role(),
                command instanceof WorkerCommand.UpgradeMachine machine ? machine.machineClass() : null);
        this.start = workerLoopContext.startLimiter().newSlot();
        this.calledAt = workerLoopContext.clock().monotonicMillis();
        this.endedAt = calledAt;
        updateLease(command);
    }

    /** One that is only taken back says neither role nor width: nobody is going to judge by them. */
    private static UpgradeAttemptParameters upgradeRequest(WorkerCommand command, String owner) {
        return switch (command) {
            case WorkerCommand.UpgradeMachine it ->
                new UpgradeAttemptParameters(
                        it.key(),
                        it.uid(),
                        it.attemptId(),
                        it.role(),
                        it.maxUnavailable(),
                        owner,
                        it.checks().maxBackupAge(),
                        it.drainMode(),
                        it.mode());
            case WorkerCommand.CancelUpgrade it ->
                new UpgradeAttemptParameters(it.key(), it.uid(), it.attemptId(), MachineRole.WORKER, 0, owner);
        };
    }

    UpgradeAttemptParameters upgradeRequest() {
        return upgradeRequest;
    }

    boolean hasEnded() {
        return procedure.isOver();
    }

    void startUpgrade(@Nullable AttemptProgress last) {
        boolean resumed = false;
        if (last != null && last.attemptId() == upgradeRequest.attemptId()) {
            resumed = true;
            if (mayHaveCalled(last.report())) {
                ignoreStatusBefore = last.reportedAt();
            }
            // Whoever said it had called shortly before, if it had.
            calledAt -= Math.max(
                    0,
                    workerLoopContext.clock().wallMillis() - last.reportedAt().toEpochMilli());
        }
        nodeUpgrader = workerLoopContext.upgraders().createUpgrader(upgradeRequest, resumed);
        workerLoopContext.listener().attemptStarted(upgradeRequest);
        perform(procedure.begin(last, workerLoopContext.clock().readClocks()));
    }

    private static boolean mayHaveCalled(AttemptReport report) {
        return report instanceof AttemptReport.OutcomeUnknown
                || (report instanceof AttemptReport.StepReached stepReached
                        && stepReached.step().mayHaveCalled());
    }

    /** The same attempt's command is renewed, or taken back. */
    void onCommandChanged(WorkerCommand next) {
        updateLease(next);
        signal(new UpgradeInput.CommandChanged(next));
    }

    private void updateLease(WorkerCommand next) {
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            leaseExpiresAt = machine.leaseExpiresAt();
        }
    }

    /** Its partition is somebody else's. */
    void onPartitionLost() {
        lost = true;
        stopUpgrade();
    }

    /** Somebody else drives it now, or nobody is to. */
    void stopUpgrade() {
        stopped = true;
        start.releaseSlot();
        tools().releaseNode();
    }

    /** Somebody else is to go on: what would be in doubt is settled first, and nothing more is begun. */
    void handOver() {
        handingOver = true;
        settle();
    }

    boolean isSettled() {
        return stopped || (procedure.isSettled() && !gathering);
    }

    private void settle() {
        if (handingOver && !stopped) {
            perform(procedure.handle(
                    new UpgradeInput.HandingOver(), workerLoopContext.clock().readClocks()));
            stopped = procedure.isSettled() && !procedure.isOver();
            if (stopped) {
                start.releaseSlot();
            }
        }
    }

    /** Nobody wants it any more: what was done to the objects does not stay. */
    void cleanUpAbandoned() {
        stopped = true;
        start.releaseSlot();
        if (!procedure.isOver()) {
            undo(1);
        }
    }

    void onReportCommitted(AttemptReport report) {
        reached(UpgradeCrashPoint.afterReport(report));
        signal(new UpgradeInput.ReportCommitted(report));
        if (procedure.isOver()) {
            workerLoopContext.listener().attemptEnded(upgradeRequest, report);
            tools().releaseNode();
        }
    }

    void onSessionEnded() {
        signal(new UpgradeInput.SessionEnded());
    }

    private void reached(@Nullable UpgradeCrashPoint upgradeCrashPoint) {
        if (upgradeCrashPoint != null) {
            workerLoopContext.listener().crashPointReached(upgradeCrashPoint);
        }
    }

    private NodeUpgrader tools() {
        if (nodeUpgrader == null) {
            throw new IllegalStateException(upgradeRequest + " has not begun");
        }
        return nodeUpgrader;
    }

    private void signal(UpgradeInput upgradeInput) {
        if (!stopped) {
            perform(procedure.handle(upgradeInput, workerLoopContext.clock().readClocks()));
            settle();
        }
    }

    private void perform(List<UpgradeAction> acts) {
        acts.forEach(this::perform);
    }

    private void perform(UpgradeAction upgradeAction) {
        if (ignoreStatusBefore == null && isOnTheWay(upgradeAction)) {
            start.runWithSlot(() -> act(upgradeAction));
        } else {
            start.releaseSlot();
            act(upgradeAction);
        }
    }

    /** Whether it belongs to what leads to the call. A licence that is written is waited for there. */
    private static boolean isOnTheWay(UpgradeAction upgradeAction) {
        return switch (upgradeAction) {
            case UpgradeAction.InspectNode inspectNode -> true;
            case UpgradeAction.ConnectToK8sd connectToK8sd -> true;
            case UpgradeAction.RunChecks runChecks -> true;
            case UpgradeAction.SetGuards setGuards -> true;
            case UpgradeAction.CheckPreconditions checkPreconditions -> true;
            case UpgradeAction.CallRefresh callRefresh -> true;
            case UpgradeAction.WriteReport writeReport ->
                writeReport.report() instanceof AttemptReport.StepReached step && step.step() == AttemptStep.STARTING;
            case UpgradeAction.PollChange pollChange -> false;
            case UpgradeAction.Wait wait -> false;
            case UpgradeAction.CleanUp cleanUp -> false;
        };
    }

    private void act(UpgradeAction upgradeAction) {
        reached(UpgradeCrashPoint.beforeAction(upgradeAction));
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> writeReport(writeReport.report());
            case UpgradeAction.InspectNode inspectNode ->
                asked(
                        tools().inspectNode(ignoreStatusBefore),
                        NodeInspection.Unreachable::new,
                        UpgradeInput.NodeInspected::new);
            case UpgradeAction.ConnectToK8sd connectToK8sd ->
                asked(tools().connectToK8sd(), ConnectResult.NotReachable::new, UpgradeInput.ConnectAttempted::new);
            case UpgradeAction.RunChecks runChecks -> runChecks(runChecks.healthChecks());
            case UpgradeAction.SetGuards setGuards ->
                asked(
                        tools().setGuards(
                                        leaseExpiresAt,
                                        () -> workerLoopContext.submit(() -> signal(new UpgradeInput.DrainStarted()))),
                        PreconditionResult::new,
                        preconditionResult -> new UpgradeInput.GuardsSet(preconditionResult.blockedReason()));
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                asked(
                        tools().checkPreconditions(),
                        PreconditionResult::new,
                        preconditionResult ->
                                new UpgradeInput.PreconditionsChecked(preconditionResult.blockedReason()));
            case UpgradeAction.CallRefresh callRefresh -> callRefresh(callRefresh);
            case UpgradeAction.PollChange pollChange -> {
                workerLoopContext.listener().changePolled(upgradeRequest);
                asked(tools().pollChange(pollChange.changeId()), ChangeStatus.StatusUnavailable::new, this::polled);
            }
            case UpgradeAction.Wait wait ->
                workerLoopContext.schedule(
                        workerLoopContext
                                .pollIntervals()
                                .intervalMillis(
                                        wait.reason(),
                                        machineKind,
                                        workerLoopContext.clock().monotonicMillis() - since(wait.reason())),
                        () -> signal(new UpgradeInput.WaitElapsed()));
            case UpgradeAction.CleanUp cleanUp -> undo(1);
        }
    }

    private long since(WaitReason waitReason) {
        return waitReason == WaitReason.PROOF ? endedAt : calledAt;
    }

    private void runChecks(List<HealthCheck> checks) {
        asked(
                tools().runChecks(checks),
                why -> checks.stream().map(check -> new FailedCheck(check, why)).toList(),
                findings -> {
                    workerLoopContext.listener().checksRun(upgradeRequest, findings);
                    return new UpgradeInput.ChecksRun(findings);
                });
    }

    /** A failure is told with what can be seen of it. */
    private void writeReport(AttemptReport report) {
        if (!(report instanceof AttemptReport.Failed failed)) {
            commandPartition.enqueueReport(this, report);
            if (!commandPartition.session().isOpen()) {
                // It would be waited for until Kafka is back, with guards on the machine.
                workerLoopContext.schedule(0, this::onSessionEnded);
            }
            return;
        }
        gathering = true;
        tools().collectEvidence()
                .onComplete(seen -> workerLoopContext.submit(() -> {
                    gathering = false;
                    FailureEvidence evidence = seen.succeeded() ? seen.result() : unseen(seen.cause());
                    if (!stopped) {
                        commandPartition.enqueueReport(this, failed.with(evidence));
                    }
                }));
    }

    private static FailureEvidence unseen(Throwable failure) {
        return new FailureEvidence(List.of(ExpectedFailureMessage.messageOf(failure)), List.of(), List.of());
    }

    private void callRefresh(UpgradeAction.CallRefresh callRefresh) {
        CommandPartition.CallPermitSession callPermitSession = commandPartition.session();
        calledAt = workerLoopContext.clock().monotonicMillis();
        workerLoopContext.listener().refreshCalled(upgradeRequest);
        // Whatever breaks in between, a bug too: the node may have heard of it, and that is what has to be written
        // first.
        Future<CallResult> answered = tools().callRefresh(
                        callRefresh.target(),
                        () -> callPermitSession.isOpen()
                                && workerLoopContext.clock().monotonicMillis() < callRefresh.permitDeadline())
                .otherwise(failure -> new CallResult.NoAnswer(String.valueOf(failure.getMessage())));
        asked(answered, CallResult.NoAnswer::new, callResult -> {
            reached(UpgradeCrashPoint.CALLED);
            if (callResult instanceof CallResult.NoAnswer) {
                ignoreStatusBefore =
                        Instant.ofEpochMilli(workerLoopContext.clock().wallMillis());
            }
            return new UpgradeInput.CallReturned(callResult);
        });
    }

    private UpgradeInput polled(ChangeStatus sight) {
        boolean first = ignoreStatusBefore == null;
        if (sight instanceof ChangeStatus.ChangeDone
                || (first
                        && (sight instanceof ChangeStatus.AwaitsPeers
                                || sight instanceof ChangeStatus.ChangeForgotten))) {
            ignoreStatusBefore = Instant.ofEpochMilli(workerLoopContext.clock().wallMillis());
        }
        if (sight instanceof ChangeStatus.ChangeDone) {
            endedAt = workerLoopContext.clock().monotonicMillis();
            workerLoopContext
                    .pollIntervals()
                    .recordDuration(machineKind, workerLoopContext.clock().monotonicMillis() - calledAt);
        } else if (sight instanceof ChangeStatus.ChangeFailed) {
            workerLoopContext.pollIntervals().recordFailure(machineKind);
        }
        return new UpgradeInput.ChangePolled(sight);
    }

    private void undo(int times) {
        tools().cleanUp()
                .onComplete(undone -> workerLoopContext.submit(() -> {
                    reached(UpgradeCrashPoint.UNDONE);
                    if (undone.succeeded() || times == MOST_UNDOING) {
                        if (undone.failed()) {
                            workerLoopContext
                                    .listener()
                                    .cleanupFailed(upgradeRequest, ExpectedFailureMessage.messageOf(undone.cause()));
                            cleanUpLater(1);
                        }
                        if (stopped) {
                            tools().releaseNode();
                        }
                        signal(new UpgradeInput.CleanedUp());
                    } else {
                        workerLoopContext.schedule(
                                workerLoopContext.pollIntervals().cleanupInterval(), () -> undo(times + 1));
                    }
                }));
    }

    /** The end is told, and the node still takes no pods: an API server may be away for longer than anybody waits. */
    private void cleanUpLater(int times) {
        workerLoopContext.schedule(CLEANING_UP_PAUSE, () -> {
            if (lost) {
                return;
            }
            tools().cleanUp()
                    .onComplete(undone -> workerLoopContext.submit(() -> {
                        if (undone.succeeded()) {
                            workerLoopContext.listener().cleanedUp(upgradeRequest);
                        } else if (ExpectedFailureMessage.messageOf(undone.cause()) != null
                                && times < MOST_CLEANING_UP) {
                            cleanUpLater(times + 1);
                        }
                    }));
        });
    }

    /** A declared failure is told as an answer that says why. Anything else is a bug, and ends the loop. */
    private <T> void asked(Future<T> question, Function<String, T> failed, Function<T, UpgradeInput> signal) {
        question.onComplete(answer -> workerLoopContext.submit(() -> {
            // What is left hangs up: what is still being asked then fails in any way.
            if (!stopped && !procedure.isOver()) {
                signal(signal.apply(
                        answer.succeeded()
                                ? answer.result()
                                : failed.apply(ExpectedFailureMessage.messageOf(answer.cause()))));
            }
        }));
    }
}
