package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.Act;
import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.Caution;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Contact;
import dev.flotilla.core.procedure.Finding;
import dev.flotilla.core.procedure.Procedure;
import dev.flotilla.core.procedure.Sight;
import dev.flotilla.core.procedure.Signal;
import dev.flotilla.nodeworker.hands.Errand;
import dev.flotilla.schemas.row.Check;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Step;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One attempt in our hands. */
final class Drive {
    /** What was done to the objects is tried so often to be undone before the end is told regardless. */
    private static final int MOST_UNDOING = 12;

    private final Partition partition;
    private final Desk desk;
    private final Procedure procedure;
    private final Errand errand;
    private final Starts.Place start;
    private @Nullable Tools tools;
    private Instant notAfter = Instant.MAX;
    private @Nullable Instant changedAt;
    private long calledAt;
    private boolean stopped;

    Drive(Partition partition, Desk desk, Command command) {
        this.partition = partition;
        this.desk = desk;
        this.procedure = new Procedure(command, Caution.GOOD);
        this.errand = errand(command, partition.commands().partition() + "/" + desk.name());
        this.start = desk.starts().place();
        this.calledAt = desk.time().ticks();
        take(command);
    }

    /** One that is only taken back says neither role nor width: nobody is going to judge by them. */
    private static Errand errand(Command command, String owner) {
        return switch (command) {
            case Command.UpgradeMachine it ->
                new Errand(
                        it.key(),
                        it.uid(),
                        it.attempt(),
                        it.role(),
                        it.maxUnavailable(),
                        owner,
                        it.checks().backup());
            case Command.CancelUpgrade it -> new Errand(it.key(), it.uid(), it.attempt(), Role.WORKER, 0, owner);
        };
    }

    Errand errand() {
        return errand;
    }

    boolean isOver() {
        return procedure.isOver();
    }

    void begin(@Nullable Progress last) {
        boolean resumed = false;
        if (last != null && last.attempt() == errand.attempt()) {
            resumed = true;
            // Whoever said it had called shortly before, if it had.
            calledAt -= Math.max(0, desk.time().clock() - last.time().toEpochMilli());
        }
        tools = desk.bench().tools(errand, resumed);
        desk.listener().begun(errand);
        perform(procedure.begin(last, desk.time().moment()));
    }

    /** The same attempt's command is renewed, or taken back. */
    void commanded(Command next) {
        take(next);
        signal(new Signal.Commanded(next));
    }

    private void take(Command next) {
        if (next instanceof Command.UpgradeMachine machine) {
            notAfter = machine.notAfter();
        }
    }

    /** Somebody else drives it now, or nobody is to. */
    void stop() {
        stopped = true;
        start.leave();
        tools().leave();
    }

    /** Nobody wants it any more: what was done to the objects does not stay. */
    void abandon() {
        stopped = true;
        start.leave();
        if (!procedure.isOver()) {
            undo(1);
        }
    }

    void written(Report report) {
        signal(new Signal.Written(report));
        if (procedure.isOver()) {
            desk.listener().ended(errand, report);
            tools().leave();
        }
    }

    void sessionEnded() {
        signal(new Signal.SessionEnded());
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
            case Act.Guard guard -> true;
            case Act.Judge judge -> true;
            case Act.Call call -> true;
            case Act.Say say -> say.report() instanceof Report.Stepped step && step.step() == Step.STARTING;
            case Act.Poll poll -> false;
            case Act.Rest rest -> false;
            case Act.Undo undo -> false;
        };
    }

    private void act(Act act) {
        switch (act) {
            case Act.Say say -> partition.say(this, say.report());
            case Act.Inspect inspect -> asked(tools().inspect(changedAt), Sight.Dark::new, Signal.Inspected::new);
            case Act.Reach reach -> asked(tools().reach(), Contact.Missing::new, Signal.Reached::new);
            case Act.Ask ask -> ask(ask.checks());
            case Act.Guard guard ->
                asked(tools().guard(notAfter), Ruling::new, ruling -> new Signal.Guarded(ruling.forbidden()));
            case Act.Judge judge ->
                asked(tools().judge(), Ruling::new, ruling -> new Signal.Judged(ruling.forbidden()));
            case Act.Call call -> call(call);
            case Act.Poll poll -> {
                desk.listener().polled(errand);
                asked(tools().poll(poll.changeId()), why -> new ChangeSight.GoesOn(), sight -> polled(sight));
            }
            case Act.Rest rest ->
                desk.later(
                        desk.asking()
                                .length(rest.pause(), errand.role(), desk.time().ticks() - calledAt),
                        () -> signal(new Signal.Rested()));
            case Act.Undo undo -> undo(1);
        }
    }

    private void ask(List<Check> checks) {
        asked(
                tools().check(checks),
                why -> checks.stream().map(check -> new Finding(check, why)).toList(),
                findings -> {
                    desk.listener().checked(errand, findings);
                    return new Signal.Checked(findings);
                });
    }

    private void call(Act.Call call) {
        Partition.Session session = partition.session();
        calledAt = desk.time().ticks();
        desk.listener().called(errand);
        asked(
                tools().call(
                                call.target(),
                                () -> session.isOpen() && desk.time().ticks() < call.before()),
                // Whatever broke in between, the node may have heard of it.
                why -> new Answer.None(),
                Signal.Answered::new);
    }

    private Signal polled(ChangeSight sight) {
        if (sight instanceof ChangeSight.Done) {
            changedAt = Instant.ofEpochMilli(desk.time().clock());
            desk.asking().ended(errand.role(), desk.time().ticks() - calledAt);
        } else if (sight instanceof ChangeSight.Failed) {
            desk.asking().failed(errand.role());
        }
        return new Signal.Polled(sight);
    }

    private void undo(int times) {
        tools().undo()
                .onComplete(undone -> desk.run(() -> {
                    if (undone.succeeded() || times == MOST_UNDOING) {
                        if (undone.failed()) {
                            desk.listener().leftBehind(errand, said(undone.cause()));
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

    /** What fails, though whatever can go wrong has an answer of its own, is told as one that says why. */
    private <T> void asked(Future<T> question, Function<String, T> failed, Function<T, Signal> signal) {
        question.otherwise(failure -> failed.apply(said(failure)))
                .onSuccess(answer -> desk.run(() -> signal(signal.apply(answer))));
    }

    private static String said(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
