package dev.flotilla.simulator.worker;

import dev.flotilla.core.procedure.Act;
import dev.flotilla.core.procedure.Answer;
import dev.flotilla.core.procedure.ChangeSight;
import dev.flotilla.core.procedure.Contact;
import dev.flotilla.core.procedure.Moment;
import dev.flotilla.core.procedure.Pause;
import dev.flotilla.core.procedure.Procedure;
import dev.flotilla.core.procedure.Sight;
import dev.flotilla.core.procedure.Signal;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.CallOutcome;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.SimProcess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attempt in the hands of a simulated worker: performs on the simulated node what the procedure wants done. */
final class Drive {
    private static final Contact TOKEN_REFUSED =
            new Contact.Refused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node refuses our token");
    private static final String API_FAILS = "the management cluster answers 500";
    private static final long IDLE_NODE = 5000;
    private static final long POLL = 8000;
    private static final long SLOW_POLL = 60_000;

    private final PartitionDriver driver;
    private final SimProcess process;
    private final Procedure procedure;
    private WorkerCommand command;
    private int maxUnavailable;
    private int reports;
    private boolean stopped;
    private boolean called;

    Drive(PartitionDriver driver, WorkerCommand command) {
        this.driver = driver;
        this.process = driver.process();
        this.procedure = new Procedure(command, driver.world().habits());
        this.command = command;
        take(command);
    }

    long attempt() {
        return procedure.attempt();
    }

    void stop() {
        stopped = true;
    }

    /** The same attempt's command is renewed, or taken back. */
    void commanded(WorkerCommand next) {
        take(next);
        signal(new Signal.Commanded(next));
    }

    private void take(WorkerCommand next) {
        command = next;
        if (next instanceof WorkerCommand.UpgradeMachine machine) {
            maxUnavailable = machine.maxUnavailable();
        }
    }

    void begin(@Nullable AttemptProgress last) {
        perform(procedure.begin(last, now()));
    }

    private Moment now() {
        return driver.now();
    }

    private void signal(Signal signal) {
        if (!stopped) {
            perform(procedure.take(signal, now()));
        }
    }

    private void later(long delay, Runnable action) {
        driver.later(delay, () -> {
            if (!stopped) {
                action.run();
            }
        });
    }

    private void perform(List<Act> acts) {
        acts.forEach(this::perform);
    }

    private void perform(Act act) {
        switch (act) {
            case Act.Say say -> write(say.report(), ++reports);
            case Act.Inspect inspect -> later(process.takes(5, 100), () -> signal(new Signal.Inspected(sight())));
            case Act.Reach reach -> signal(new Signal.Reached(contact()));
            // In this world every check holds.
            case Act.Ask ask -> later(0, () -> signal(new Signal.Checked(List.of())));
            case Act.Guard guard -> guard();
            case Act.Judge judge -> later(process.takes(50, 500), () -> signal(new Signal.Judged(forbidden(true))));
            case Act.Call call -> call(call);
            case Act.Poll poll -> later(0, () -> signal(new Signal.Polled(change(poll.changeId()))));
            case Act.Rest rest -> later(length(rest.pause()), () -> signal(new Signal.Rested()));
            case Act.Undo undo -> later(process.takes(1, 50), () -> signal(new Signal.Undone()));
        }
    }

    /** A report that could not be written gives way to a later one. */
    private void write(AttemptReport report, int number) {
        if (number == reports && !stopped) {
            driver.report(command, report, () -> write(report, number), () -> signal(new Signal.Written(report)));
        }
    }

    private long length(Pause pause) {
        return switch (pause) {
            case IDLE_NODE -> IDLE_NODE;
            case CHANGE, PROOF -> process.hurried(POLL);
            case LATE_PROOF -> SLOW_POLL;
        };
    }

    private @Nullable SimMachine machine() {
        SimMachine machine = driver.world().site().machine(command.key());
        return machine == null || !machine.uid().equals(command.uid()) ? null : machine;
    }

    /** What is known of the node since the call needs no look at the management cluster. */
    private boolean isLost() {
        return !called && driver.world().site().apiFails();
    }

    private Sight sight() {
        if (isLost()) {
            return new Sight.Dark(API_FAILS);
        }
        SimMachine machine = machine();
        if (machine == null) {
            return new Sight.Gone();
        }
        SimNode node = machine.node();
        return node.reachable()
                ? new Sight.Node(Integer.toString(node.revision()), node.version(), node.ready(), node.busy())
                : new Sight.Dark("the node does not answer");
    }

    private Contact contact() {
        if (isLost()) {
            return new Contact.Missing(API_FAILS);
        }
        SimMachine machine = machine();
        return machine == null || machine.node().takesTheToken() ? new Contact.Made() : TOKEN_REFUSED;
    }

    /** Most guards are set at once; an API server that is slow, or a drain, takes its time. */
    private void guard() {
        boolean slow = process.chance().percent(5);
        if (slow) {
            signal(new Signal.Drains());
        }
        later(
                slow ? process.takes(2000, 90_000) : process.takes(50, 500),
                () -> signal(new Signal.Guarded(forbidden(false))));
    }

    private @Nullable String forbidden(boolean byItsCluster) {
        if (driver.world().site().apiFails()) {
            return "the machine cannot be read: " + API_FAILS;
        }
        SimMachine machine = machine();
        if (machine == null) {
            return "no such machine";
        }
        String problem = machine.forbids(command.uid());
        return problem == null && byItsCluster ? LiveCheck.problem(machine, maxUnavailable) : problem;
    }

    private void call(Act.Call call) {
        if (!process.survivesAtTheWorstMoment("with a licence, before the call") || process.paused()) {
            later(0, () -> signal(new Signal.Held()));
            return;
        }
        if (driver.world().now() >= call.before()) {
            signal(new Signal.Held());
            return;
        }
        called = true;
        SimMachine machine = machine();
        CallOutcome outcome = machine == null
                ? new CallOutcome.NotSent()
                : machine.node().refresh(command.key(), call.target(), attempt(), process.name());
        if (process.survives("right after the call")) {
            later(process.takes(2, 200), () -> signal(new Signal.Answered(answer(outcome))));
        }
    }

    private static Answer answer(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Accepted accepted -> new Answer.Accepted(accepted.changeId());
            case CallOutcome.NothingToDo nothing -> new Answer.NothingToDo();
            case CallOutcome.Conflict conflict -> new Answer.Busy("another change is at work on the node");
            case CallOutcome.NotSent notSent -> new Answer.NotBegun("the node does not answer");
            case CallOutcome.Refused refused ->
                new Answer.Refused(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node refuses our token");
            case CallOutcome.NoAnswer noAnswer -> new Answer.None("the connection was cut");
        };
    }

    private ChangeSight change(String id) {
        if (isLost()) {
            return new ChangeSight.Silent(API_FAILS);
        }
        SimMachine machine = machine();
        String status = machine == null ? null : machine.node().status(id);
        if (status == null) {
            return new ChangeSight.Silent("the node does not answer");
        }
        return switch (status) {
            case "Done" -> new ChangeSight.Done();
            case "" -> new ChangeSight.Lost();
            case "Error", "Undone", "Hold" -> new ChangeSight.Failed("change " + id + " is " + status);
            case "Wait" -> new ChangeSight.Waits("change " + id + " is " + status);
            default -> new ChangeSight.GoesOn("change " + id + " is " + status);
        };
    }
}
