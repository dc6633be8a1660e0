package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.Act;
import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.Caution;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Contact;
import dev.flotilla.core.procedure.Finding;
import dev.flotilla.core.procedure.Pause;
import dev.flotilla.core.procedure.Procedure;
import dev.flotilla.core.procedure.Sight;
import dev.flotilla.core.procedure.Signal;
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
    private final Procedure procedure;
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
        this.procedure = new Procedure(command, Caution.GOOD);
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
        signal(new Signal.Commanded(next));
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
            perform(procedure.take(new Signal.Leaving(), desk.time().moment()));
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
        signal(new Signal.Written(report));
        if (procedure.isOver()) {
            desk.listener().ended(errand, report);
            tools().leave();
        }
    }

    void sessionEnded() {
        signal(new Signal.SessionEnded());
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

    private void signal(Signal signal) {
        if (!stopped) {
            perform(procedure.take(signal, desk.time().moment()));
            settle();
        }
    }

    private void perform(List<Act> acts) {
        acts.forEach(this::perform);
    }

    private void perform(Act act) {
        if (changedAt == null && isOnTheWay(act)) {
            start.onTheWay(() -> act(act));
        } else {
            start.leave();
            act(act);
        }
    }

    /** Whether it belongs to what leads to the call. A licence that is written is waited for there. */
    private static boolean isOnTheWay(Act act) {
        return switch (act) {
            case Act.Inspect inspect -> true;
            case Act.Reach reach -> true;
            case Act.Ask ask -> true;
            case Act.Guard guard -> true;
            case Act.Judge judge -> true;
            case Act.Call call -> true;
            case Act.Say say -> say.report() instanceof AttemptReport.StepReached step && step.step() == AttemptStep.STARTING;
            case Act.Poll poll -> false;
            case Act.Rest rest -> false;
            case Act.Undo undo -> false;
        };
    }

    private void act(Act act) {
        reached(Milestone.before(act));
        switch (act) {
            case Act.Say say -> say(say.report());
            case Act.Inspect inspect -> asked(tools().inspect(changedAt), Sight.Dark::new, Signal.Inspected::new);
            case Act.Reach reach -> asked(tools().reach(), Contact.Missing::new, Signal.Reached::new);
            case Act.Ask ask -> ask(ask.checks());
            case Act.Guard guard ->
                asked(
                        tools().guard(notAfter, () -> desk.run(() -> signal(new Signal.Drains()))),
                        Ruling::new,
                        ruling -> new Signal.Guarded(ruling.forbidden()));
            case Act.Judge judge ->
                asked(tools().judge(), Ruling::new, ruling -> new Signal.Judged(ruling.forbidden()));
            case Act.Call call -> call(call);
            case Act.Poll poll -> {
                desk.listener().polled(errand);
                asked(tools().poll(poll.changeId()), ChangeSight.Silent::new, this::polled);
            }
            case Act.Rest rest ->
                desk.later(
                        desk.asking().length(rest.pause(), kind, desk.time().ticks() - since(rest.pause())),
                        () -> signal(new Signal.Rested()));
            case Act.Undo undo -> undo(1);
        }
    }

    private long since(Pause pause) {
        return pause == Pause.PROOF ? endedAt : calledAt;
    }

    private void ask(List<HealthCheck> checks) {
        asked(
                tools().check(checks),
                why -> checks.stream().map(check -> new Finding(check, why)).toList(),
                findings -> {
                    desk.listener().checked(errand, findings);
                    return new Signal.Checked(findings);
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

    private void call(Act.Call call) {
        Partition.Session session = partition.session();
        calledAt = desk.time().ticks();
        desk.listener().called(errand);
        // Whatever breaks in between, a bug too: the node may have heard of it, and that is what has to be written
        // first.
        Future<Answer> answered = tools().call(
                        call.target(), () -> session.isOpen() && desk.time().ticks() < call.before())
                .otherwise(failure -> new Answer.None(String.valueOf(failure.getMessage())));
        asked(answered, Answer.None::new, answer -> {
            reached(Milestone.CALLED);
            if (answer instanceof Answer.None) {
                changedAt = Instant.ofEpochMilli(desk.time().clock());
            }
            return new Signal.Answered(answer);
        });
    }

    private Signal polled(ChangeSight sight) {
        boolean first = changedAt == null;
        if (sight instanceof ChangeSight.Done
                || (first && (sight instanceof ChangeSight.AwaitsPeers || sight instanceof ChangeSight.Lost))) {
            changedAt = Instant.ofEpochMilli(desk.time().clock());
        }
        if (sight instanceof ChangeSight.Done) {
            endedAt = desk.time().ticks();
            desk.asking().ended(kind, desk.time().ticks() - calledAt);
        } else if (sight instanceof ChangeSight.Failed) {
            desk.asking().failed(kind);
        }
        return new Signal.Polled(sight);
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
                        signal(new Signal.Undone());
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
    private <T> void asked(Future<T> question, Function<String, T> failed, Function<T, Signal> signal) {
        question.onComplete(answer -> desk.run(() -> {
            // What is left hangs up: what is still being asked then fails in any way.
            if (!stopped && !procedure.isOver()) {
                signal(signal.apply(
                        answer.succeeded() ? answer.result() : failed.apply(DeclaredFailure.text(answer.cause()))));
            }
        }));
    }
}
