package dev.flotilla.bench.worker;

import dev.flotilla.core.procedure.Act;
import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.Caution;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Contact;
import dev.flotilla.core.procedure.Moment;
import dev.flotilla.core.procedure.Procedure;
import dev.flotilla.core.procedure.Sight;
import dev.flotilla.core.procedure.Signal;
import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.Scheduler;
import java.time.Instant;
import java.util.List;

/**
 * One upgrade in virtual time, by the procedure and the pace that are shipped. Everything but the change itself takes no
 * time. How often it was asked for and when its end was noticed is what the node would say.
 */
final class VirtualUpgrade {
    private static final String OLD = "1000";
    private static final String TARGET = "1100";
    private static final String VERSION = "v1.33.0";
    private static final Asking.Kind KIND = new Asking.Kind(MachineRole.WORKER, null);
    private static final Instant NEVER = Instant.parse("2100-01-01T00:00:00Z");

    private final Scheduler scheduler;
    private final Asking asking;
    private final Runnable over;
    private final long takes;
    private final Procedure procedure;
    private long calledAt;
    private boolean called;
    private int polls;
    private long noticedAfter;

    /**
     * An upgrade that has not begun.
     *
     * @param takes how long its change does, in milliseconds
     * @param over told when it has ended
     */
    VirtualUpgrade(Scheduler scheduler, Asking asking, int number, long takes, Runnable over) {
        this.scheduler = scheduler;
        this.asking = asking;
        this.over = over;
        this.takes = takes;
        this.procedure = new Procedure(
                new WorkerCommand.UpgradeMachine(
                        new MachineKey(new SiteId("site-1"), "fleet", "m-" + number),
                        "uid",
                        number + 1L,
                        MachineRole.WORKER,
                        new UpgradeTarget.Revision(TARGET),
                        null,
                        null,
                        1,
                        NEVER),
                Caution.GOOD);
    }

    void begin() {
        perform(procedure.begin(null, now()));
    }

    /** Questions that the node was asked about its change. */
    int polls() {
        return polls;
    }

    /** How long its end was not noticed, in milliseconds. */
    long delay() {
        return noticedAfter;
    }

    private Moment now() {
        return new Moment(scheduler.now(), scheduler.now());
    }

    private void signal(Signal signal) {
        perform(procedure.take(signal, now()));
    }

    private void perform(List<Act> acts) {
        acts.forEach(this::perform);
    }

    private void perform(Act act) {
        switch (act) {
            case Act.Say say -> soon(new Signal.Written(say.report()));
            case Act.Inspect inspect ->
                soon(new Signal.Inspected(new Sight.Node(isDone() ? TARGET : OLD, VERSION, true, false)));
            case Act.Reach reach -> soon(new Signal.Reached(new Contact.Made()));
            case Act.Ask ask -> soon(new Signal.Checked(List.of()));
            case Act.Guard guard -> soon(new Signal.Guarded(null));
            case Act.Judge judge -> soon(new Signal.Judged(null));
            case Act.Call call -> {
                called = true;
                calledAt = scheduler.now();
                soon(new Signal.Answered(new Answer.Accepted("1")));
            }
            case Act.Poll poll -> poll();
            case Act.Rest rest ->
                scheduler.after(
                        asking.length(rest.pause(), KIND, scheduler.now() - calledAt),
                        () -> signal(new Signal.Rested()));
            case Act.Undo undo -> soon(new Signal.Undone());
        }
        if (procedure.isOver()) {
            over.run();
        }
    }

    private void soon(Signal signal) {
        scheduler.after(0, () -> signal(signal));
    }

    private boolean isDone() {
        return called && scheduler.now() >= calledAt + takes;
    }

    private void poll() {
        polls++;
        if (!isDone()) {
            soon(new Signal.Polled(new ChangeSight.GoesOn("change 1 is Doing")));
            return;
        }
        noticedAfter = scheduler.now() - calledAt - takes;
        asking.ended(KIND, scheduler.now() - calledAt);
        soon(new Signal.Polled(new ChangeSight.Done()));
    }
}
