package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.UpgradeSafeguards;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.FailedCheck;
import dev.flotilla.core.procedure.WaitReason;
import dev.flotilla.core.procedure.UpgradeProcedure;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.AttemptStep;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One attempt in our hands. */
final class Drive {
    /** What was done to the objects is tried so often to be undone before the end is told regardless. */
    private static final int MOST_UNDOING = 12;

    /** And then so often again, at a slow pace: a day in all. */
    private static final int MOST_CLEANING_UP = 288;

    private static final long CLEANING_UP_PAUSE = 300_000;

    private final Partition partition;
    private final Desk desk;
    private final UpgradeProcedure procedure;
    private final Errand errand;
    private final Asking.Kind kind;
    private final Starts.Place start;
    private @Nullable Tools tools;
    private Instant notAfter = Instant.MAX;
    /** What the node said before then proves nothing; null before the call. */
    private @Nullable Instant changedAt;

    private long calledAt;
    /** When the change's end was noticed; before that, when it was called. */
    private long endedAt;

    private boolean stopped;
    /** Whether the partition is somebody else's. */
    private boolean lost;

    private boolean leaving;
    private boolean gathering;

    Drive(Partition partition, Desk desk, WorkerCommand command) {
        this.partition = partition;
        this.desk = desk;
        this.procedure = new UpgradeProcedure(command, UpgradeSafeguards.ALL);
        this.errand = errand(command, partition.commands().partition() + "/" + desk.name());
        this.kind = new Asking.Kind(
                errand.role(), command instanceof WorkerCommand.UpgradeMachine machine ? machine.machineClass() : null);
        this.start = desk.starts().place();
        this.calledAt = desk.time().ticks();
        this.endedAt = calledAt;
        take(command);
    }

    /** One that is only taken back says neither role nor width: nobody is going to judge by them. */
    private static Errand errand(WorkerCommand command, String owner) {
        return switch (command) {
            case WorkerCommand.UpgradeMachine it ->
                new Errand(
                        it.key(),
                        it.uid(),
                        it.attemptId(),
                        it.role(),
                        it.maxUnavailable(),
                        owner,
                        it.checks().maxBackupAge(),
                        it.drainMode(),
                        it.mode());
            case WorkerCommand.CancelUpgrade it -> new Errand(it.key(), it.uid(), it.attemptId(), MachineRole.WORKER, 0, owner);
        };
    }

    Errand errand() {
        return errand;
    }

    boolean isOver() {
        return procedure.isOver();
    }

    void begin(@Nullable AttemptProgress last) {
        boolean resumed = false;
        if (last != null && last.attemptId() == errand.attempt()) {
            resumed = true;
            if (mayHaveCalled(last.report())) {
                changedAt = last.reportedAt();
            }
            // Whoever said it had called shortly before, if it had.
            calledAt -= Math.max(0, desk.time().clock() - last.reportedAt().toEpochMilli());
        }
        tools = desk.bench().tools(errand, resumed);
        desk.listener().begun(errand);
        perform(procedure.begin(last, desk.time().moment()));
    }

    private static boolean mayHaveCalled(AttemptReport report) {
        return report instanceof AttemptReport.OutcomeUnknown
                || (report instanceof AttemptReport.StepReached stepReached && stepReached.step().mayHaveCalled());
    }

    /** The same attempt's command is renewed, or taken back. */
    void commanded(WorkerCommand next) {
        take(next);
        signal(new UpgradeInput.CommandChanged(next));
    }

    private void take(WorkerCommand next) {
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            notAfter = machine.leaseExpiresAt();
        }
    }

    /** Its partition is somebody else's. */
    void lose() {
        lost = true;
        stop();
    }

    /** Somebody else drives it now, or nobody is to. */
    void stop() {
        stopped = true;
        start.leave();
        tools().leave();
    }

    /** Somebody else is to go on: what would be in doubt is settled first, and nothing more is begun. */
    void handOver() {
        leaving = true;
        settle();
    }

    boolean isSettled() {
        return stopped || (procedure.isSettled() && !gathering);
    }

    private void settle() {
        if (leaving && !stopped) {
            perform(procedure.handle(new UpgradeInput.HandingOver(), desk.time().moment()));
            stopped = procedure.isSettled() && !procedure.isOver();
            if (stopped) {
                start.leave();
            }
        }
    }

    /** Nobody wants it any more: what was done to the objects does not stay. */
    void abandon() {
        stopped = true;
        start.leave();
        if (!procedure.isOver()) {
            undo(1);
        }
    }

    void written(AttemptReport report) {
        reached(Milestone.after(report));
        signal(new UpgradeInput.ReportCommitted(report));
        if (procedure.isOver()) {
            desk.listener().ended(errand, report);
            tools().leave();
        }
    }

    void sessionEnded() {
        signal(new UpgradeInput.SessionEnded());
    }

    private void reached(@Nullable Milestone milestone) {
        if (milestone != null) {
            desk.listener().reached(milestone);
        }
    }

    private Tools tools() {
        if (tools == null) {
            throw new IllegalStateException(errand + " has not begun");
        }
        return tools;
    }

    private void signal(UpgradeInput upgradeInput) {
        if (!stopped) {
            perform(procedure.handle(upgradeInput, desk.time().moment()));
            settle();
        }
    }

    private void perform(List<UpgradeAction> acts) {
        acts.forEach(this::perform);
    }

    private void perform(UpgradeAction upgradeAction) {
        if (changedAt == null && isOnTheWay(upgradeAction)) {
            start.onTheWay(() -> act(upgradeAction));
        } else {
            start.leave();
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
            case UpgradeAction.WriteReport writeReport -> writeReport.report() instanceof AttemptReport.StepReached step && step.step() == AttemptStep.STARTING;
            case UpgradeAction.PollChange pollChange -> false;
            case UpgradeAction.Wait wait -> false;
            case UpgradeAction.CleanUp cleanUp -> false;
        };
    }

    private void act(UpgradeAction upgradeAction) {
        reached(Milestone.before(upgradeAction));
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> say(writeReport.report());
            case UpgradeAction.InspectNode inspectNode -> asked(tools().inspect(changedAt), NodeInspection.Unreachable::new, UpgradeInput.NodeInspected::new);
            case UpgradeAction.ConnectToK8sd connectToK8sd -> asked(tools().reach(), ConnectResult.NotReachable::new, UpgradeInput.ConnectAttempted::new);
            case UpgradeAction.RunChecks runChecks -> ask(runChecks.healthChecks());
            case UpgradeAction.SetGuards setGuards ->
                asked(
                        tools().guard(notAfter, () -> desk.run(() -> signal(new UpgradeInput.DrainStarted()))),
                        Ruling::new,
                        ruling -> new UpgradeInput.GuardsSet(ruling.forbidden()));
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                asked(tools().judge(), Ruling::new, ruling -> new UpgradeInput.PreconditionsChecked(ruling.forbidden()));
            case UpgradeAction.CallRefresh callRefresh -> call(callRefresh);
            case UpgradeAction.PollChange pollChange -> {
                desk.listener().polled(errand);
                asked(tools().poll(pollChange.changeId()), ChangeStatus.StatusUnavailable::new, this::polled);
            }
            case UpgradeAction.Wait wait ->
                desk.later(
                        desk.asking().length(wait.reason(), kind, desk.time().ticks() - since(wait.reason())),
                        () -> signal(new UpgradeInput.WaitElapsed()));
            case UpgradeAction.CleanUp cleanUp -> undo(1);
        }
    }

    private long since(WaitReason waitReason) {
        return waitReason == WaitReason.PROOF ? endedAt : calledAt;
    }

    private void ask(List<HealthCheck> checks) {
        asked(
                tools().check(checks),
                why -> checks.stream().map(check -> new FailedCheck(check, why)).toList(),
                findings -> {
                    desk.listener().checked(errand, findings);
                    return new UpgradeInput.ChecksRun(findings);
                });
    }

    /** A failure is told with what can be seen of it. */
    private void say(AttemptReport report) {
        if (!(report instanceof AttemptReport.Failed failed)) {
            partition.say(this, report);
            if (!partition.session().isOpen()) {
                // It would be waited for until Kafka is back, with guards on the machine.
                desk.later(0, this::sessionEnded);
            }
            return;
        }
        gathering = true;
        tools().evidence()
                .onComplete(seen -> desk.run(() -> {
                    gathering = false;
                    FailureEvidence evidence = seen.succeeded() ? seen.result() : unseen(seen.cause());
                    if (!stopped) {
                        partition.say(this, failed.with(evidence));
                    }
                }));
    }

    private static FailureEvidence unseen(Throwable failure) {
        return new FailureEvidence(List.of(DeclaredFailure.text(failure)), List.of(), List.of());
    }

    private void call(UpgradeAction.CallRefresh callRefresh) {
        Partition.Session session = partition.session();
        calledAt = desk.time().ticks();
        desk.listener().called(errand);
        // Whatever breaks in between, a bug too: the node may have heard of it, and that is what has to be written
        // first.
        Future<CallResult> answered = tools().call(
                        callRefresh.target(), () -> session.isOpen() && desk.time().ticks() < callRefresh.permitDeadline())
                .otherwise(failure -> new CallResult.NoAnswer(String.valueOf(failure.getMessage())));
        asked(answered, CallResult.NoAnswer::new, callResult -> {
            reached(Milestone.CALLED);
            if (callResult instanceof CallResult.NoAnswer) {
                changedAt = Instant.ofEpochMilli(desk.time().clock());
            }
            return new UpgradeInput.CallReturned(callResult);
        });
    }

    private UpgradeInput polled(ChangeStatus sight) {
        boolean first = changedAt == null;
        if (sight instanceof ChangeStatus.ChangeDone
                || (first && (sight instanceof ChangeStatus.AwaitsPeers || sight instanceof ChangeStatus.ChangeForgotten))) {
            changedAt = Instant.ofEpochMilli(desk.time().clock());
        }
        if (sight instanceof ChangeStatus.ChangeDone) {
            endedAt = desk.time().ticks();
            desk.asking().ended(kind, desk.time().ticks() - calledAt);
        } else if (sight instanceof ChangeStatus.ChangeFailed) {
            desk.asking().failed(kind);
        }
        return new UpgradeInput.ChangePolled(sight);
    }

    private void undo(int times) {
        tools().undo()
                .onComplete(undone -> desk.run(() -> {
                    reached(Milestone.UNDONE);
                    if (undone.succeeded() || times == MOST_UNDOING) {
                        if (undone.failed()) {
                            desk.listener().leftBehind(errand, DeclaredFailure.text(undone.cause()));
                            cleanUpLater(1);
                        }
                        if (stopped) {
                            tools().leave();
                        }
                        signal(new UpgradeInput.CleanedUp());
                    } else {
                        desk.later(desk.asking().undoing(), () -> undo(times + 1));
                    }
                }));
    }

    /** The end is told, and the node still takes no pods: an API server may be away for longer than anybody waits. */
    private void cleanUpLater(int times) {
        desk.later(CLEANING_UP_PAUSE, () -> {
            if (lost) {
                return;
            }
            tools().undo()
                    .onComplete(undone -> desk.run(() -> {
                        if (undone.succeeded()) {
                            desk.listener().cleanedUp(errand);
                        } else if (DeclaredFailure.text(undone.cause()) != null && times < MOST_CLEANING_UP) {
                            cleanUpLater(times + 1);
                        }
                    }));
        });
    }

    /** A declared failure is told as an answer that says why. Anything else is a bug, and ends the loop. */
    private <T> void asked(Future<T> question, Function<String, T> failed, Function<T, UpgradeInput> signal) {
        question.onComplete(answer -> desk.run(() -> {
            // What is left hangs up: what is still being asked then fails in any way.
            if (!stopped && !procedure.isOver()) {
                signal(signal.apply(
                        answer.succeeded() ? answer.result() : failed.apply(DeclaredFailure.text(answer.cause()))));
            }
        }));
    }
}
