package dev.flotilla.nodeworker.fault;

import dev.flotilla.core.procedure.Act;
import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.Caution;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Pause;
import dev.flotilla.core.procedure.Procedure;
import dev.flotilla.core.procedure.Signal;
import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.nodeworker.drive.Tools;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attempt by the real procedure with real tools, one act after the other: its shell is the test. */
final class Driven {
    private static final long ATTEMPT = 7;
    private static final Asking.Kind KIND = new Asking.Kind(MachineRole.WORKER, null);
    private static final Duration PATIENCE = Duration.ofHours(3);

    private final Stand stand;
    private final Procedure procedure;
    private final Tools tools;
    private final Deque<Act> todo = new ArrayDeque<>();
    private final List<AttemptReport> said = new ArrayList<>();
    private @Nullable Instant changedAt;
    private final @Nullable Asking asking;
    private long calledAt;
    private long endedAt;

    private Driven(Stand stand, @Nullable Asking asking) throws Exception {
        this.stand = stand;
        this.asking = asking;
        WorkerCommand.UpgradeMachine command = stand.command(ATTEMPT);
        this.procedure = new Procedure(
                stand.isCancelled
                        ? new WorkerCommand.CancelUpgrade(command.key(), command.uid(), ATTEMPT, "freeze")
                        : command,
                Caution.GOOD);
        this.tools = stand.bench().tools(stand.errand(ATTEMPT), false);
    }

    /** Drives it to its end, or until nobody can tell for hours; returns all that was said. */
    static List<AttemptReport> toItsEnd(Stand stand) throws Exception {
        return toItsEnd(stand, null);
    }

    /**
     * The same at the pace of a worker.
     *
     * @param asking null for steps that are the same for all
     */
    static List<AttemptReport> toItsEnd(Stand stand, @Nullable Asking asking) throws Exception {
        stand.pass(stand.headStart);
        Driven driven = new Driven(stand, asking);
        driven.todo.addAll(driven.procedure.begin(null, stand.moment()));
        long end = stand.moment().ticks() + PATIENCE.toMillis();
        while (!driven.todo.isEmpty() && stand.moment().ticks() < end) {
            driven.perform(driven.todo.remove());
        }
        driven.tools.leave();
        return driven.said;
    }

    private void signal(Signal signal) {
        todo.addAll(procedure.take(signal, stand.moment()));
    }

    private void perform(Act act) throws Exception {
        switch (act) {
            case Act.Say say -> {
                said.add(say.report());
                signal(new Signal.Written(say.report()));
            }
            case Act.Inspect inspect -> signal(new Signal.Inspected(Stand.get(tools.inspect(changedAt))));
            case Act.Reach reach -> signal(new Signal.Reached(Stand.get(tools.reach())));
            case Act.Ask ask -> signal(new Signal.Checked(Stand.get(tools.check(ask.checks()))));
            case Act.Guard guard ->
                signal(new Signal.Guarded(
                        Stand.get(tools.guard(now().plusSeconds(60), () -> {})).forbidden()));
            case Act.Judge judge ->
                signal(new Signal.Judged(Stand.get(tools.judge()).forbidden()));
            case Act.Call call -> {
                calledAt = stand.moment().ticks();
                endedAt = calledAt;
                Answer answer =
                        Stand.get(tools.call(call.target(), () -> stand.moment().ticks() < call.before()));
                changedAt = answer instanceof Answer.None ? now() : changedAt;
                signal(new Signal.Answered(answer));
            }
            case Act.Poll poll -> {
                ChangeSight sight = Stand.get(tools.poll(poll.changeId()));
                boolean tells = sight instanceof ChangeSight.Done || sight instanceof ChangeSight.Lost;
                changedAt =
                        tells || (changedAt == null && sight instanceof ChangeSight.AwaitsPeers) ? now() : changedAt;
                if (sight instanceof ChangeSight.Done) {
                    endedAt = stand.moment().ticks();
                    if (asking != null) {
                        asking.ended(KIND, endedAt - calledAt);
                    }
                }
                signal(new Signal.Polled(sight));
            }
            case Act.Rest rest -> {
                stand.pass(pause(rest.pause()));
                signal(new Signal.Rested());
            }
            case Act.Undo undo -> {
                Stand.get(tools.undo());
                signal(new Signal.Undone());
            }
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(stand.moment().clock());
    }

    private Duration pause(Pause pause) {
        if (asking == null) {
            return length(pause);
        }
        long since = pause == Pause.PROOF ? endedAt : calledAt;
        return Duration.ofMillis(asking.length(pause, KIND, stand.moment().ticks() - since));
    }

    private static Duration length(Pause pause) {
        return switch (pause) {
            case IDLE_NODE, CHANGE -> Duration.ofSeconds(20);
            case PROOF -> Duration.ofSeconds(12);
            case LATE_PROOF -> Duration.ofMinutes(5);
        };
    }
}
