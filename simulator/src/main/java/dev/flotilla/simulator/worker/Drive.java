package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.CallOutcome;
import dev.flotilla.simulator.world.SimProcess;
import org.jspecify.annotations.Nullable;

/** One machine on its way through the steps of one attempt, up to the call and no further: then {@link Watch} goes on. */
final class Drive {
    /** How long a licence holds, on the clock that no one sets. */
    static final long LICENCE = 10_000;

    /** Clocks may differ by so much without a call coming too late. */
    static final long CLOCK_MARGIN = 500;

    private static final long UNREACHABLE_PATIENCE = 120_000;

    private final PartitionDriver driver;
    private final SimProcess process;
    private final WorkerHabits habits;
    private final Watch watch;
    private Command command;
    private Command.@Nullable UpgradeMachine upgrade;
    private boolean stopped;
    private boolean called;
    private boolean ended;
    private long licensedAt = Long.MIN_VALUE;
    private long unreachableSince;
    private @Nullable Step said;

    Drive(PartitionDriver driver, Command command) {
        this.driver = driver;
        this.process = driver.process();
        this.habits = driver.world().habits();
        this.command = command;
        this.upgrade = command instanceof Command.UpgradeMachine machine ? machine : null;
        this.watch = new Watch(this, driver);
    }

    long attempt() {
        return command.attempt();
    }

    Command command() {
        return command;
    }

    Command.@Nullable UpgradeMachine upgrade() {
        return upgrade;
    }

    boolean stopped() {
        return stopped || ended;
    }

    void stop() {
        stopped = true;
    }

    @Nullable
    SimMachine machine() {
        return driver.world().site().machine(command.key());
    }

    void later(long delay, Runnable action) {
        driver.later(delay, () -> {
            if (!stopped && !ended) {
                action.run();
            }
        });
    }

    void report(Report report, Runnable then) {
        if (!stopped && !ended) {
            driver.report(command, report, () -> {
                if (!stopped && !ended) {
                    then.run();
                }
            });
        }
    }

    void end(Report report) {
        if (!stopped && !ended) {
            driver.report(command, report, () -> {});
            ended = true;
        }
    }

    /** The same attempt's command is renewed, or taken back. */
    void commanded(Command next) {
        command = next;
        if (next instanceof Command.UpgradeMachine machine) {
            upgrade = machine;
        } else if (mayStillCancel()) {
            end(new Report.Cancelled());
        }
    }

    private boolean cancelled() {
        return command instanceof Command.CancelUpgrade && habits.obeysCancel();
    }

    private boolean mayStillCancel() {
        return !called && habits.obeysCancel();
    }

    /** Goes on from what was said last of this machine, by whomever. */
    void begin(@Nullable Progress last) {
        if (last == null || last.attempt() < command.attempt()) {
            fresh();
        } else if (last.attempt() > command.attempt()) {
            ended = true;
        } else {
            switch (last.report()) {
                case Report.Stepped stepped -> resume(stepped);
                case Report.OutcomeUnknown unknown -> {
                    called = true;
                    watch.verify(null, false);
                }
                case Report.Succeeded done -> ended = true;
                case Report.Failed done -> ended = true;
                case Report.Cancelled done -> ended = true;
                case Report.Expired done -> ended = true;
                case Report.NotNow done -> ended = true;
            }
        }
    }

    private void fresh() {
        if (cancelled()) {
            end(new Report.Cancelled());
        } else if (upgrade != null) {
            later(process.takes(5, 100), this::preflight);
        }
    }

    private void resume(Report.Stepped last) {
        switch (last.step()) {
            case PREFLIGHT, GUARDING, DRAINING -> fresh();
            // Somebody had a licence, and may have used it.
            case STARTING -> {
                if (habits.onlyVerifies()) {
                    called = true;
                    watch.verify(null, false);
                } else {
                    fresh();
                }
            }
            case REFRESHING -> {
                called = true;
                watch.change(last.changeId() == null ? "" : last.changeId());
            }
            case VERIFYING, UNCORDONING -> {
                called = true;
                watch.verify(last.changeId(), last.changeId() != null);
            }
        }
    }

    private boolean tooLate() {
        return habits.checksNotAfter()
                && upgrade != null
                && process.clock() + CLOCK_MARGIN >= upgrade.notAfter().toEpochMilli();
    }

    private void preflight() {
        SimMachine machine = machine();
        if (cancelled()) {
            end(new Report.Cancelled());
        } else if (tooLate()) {
            end(new Report.Expired());
        } else if (machine == null || !machine.uid().equals(command.uid())) {
            end(new Report.NotNow("no such machine"));
        } else if (!machine.node().reachable()) {
            unreachable();
        } else if (upgrade != null
                && Proof.atTarget(machine.node(), upgrade)
                && machine.node().ready()) {
            end(Proof.of(machine.node(), Report.Proof.UNCHANGED));
        } else if (machine.node().busy()) {
            // Not our refresh: wait until the node is idle, read its revision, then decide.
            lasting(Step.PREFLIGHT, () -> later(5000, this::preflight));
        } else {
            unreachableSince = 0;
            later(process.takes(50, 500), this::guarding);
        }
    }

    /** Most guards are set at once; an API server that is slow, or a drain, takes its time. */
    private void guarding() {
        if (process.chance().percent(5)) {
            lasting(Step.GUARDING, () -> later(process.takes(2000, 90_000), this::guard));
        } else {
            guard();
        }
    }

    /** Before the call only a step that lasts is worth a record; the same is said once. */
    private void lasting(Step step, Runnable then) {
        if (step == said) {
            then.run();
        } else {
            said = step;
            report(new Report.Stepped(step, null), then);
        }
    }

    private void unreachable() {
        if (unreachableSince == 0) {
            unreachableSince = driver.world().now();
        }
        if (driver.world().now() - unreachableSince > UNREACHABLE_PATIENCE) {
            end(new Report.Failed(FailureClass.RETRYABLE, FailureReason.UNREACHABLE, "the node does not answer"));
        } else {
            lasting(Step.PREFLIGHT, () -> later(5000, this::preflight));
        }
    }

    private void guard() {
        if (mayGoOn()) {
            later(process.takes(50, 500), this::license);
        }
    }

    private void license() {
        if (mayGoOn()) {
            // Its age counts from before it is written: nobody knows how long the word of its commit takes.
            licensedAt = driver.world().now();
            report(new Report.Stepped(Step.STARTING, null), () -> later(process.takes(1, 50), this::call));
        }
    }

    /** Everything that is checked before guarding, and again right before the call. */
    private boolean mayGoOn() {
        SimMachine machine = machine();
        Report instead = null;
        if (cancelled()) {
            instead = new Report.Cancelled();
        } else if (tooLate()) {
            instead = new Report.Expired();
        } else if (machine == null) {
            instead = new Report.NotNow("no such machine");
        } else {
            String problem = habits.looksLive() ? machine.forbids(command.uid()) : null;
            if (problem == null && habits.looksLive() && upgrade != null) {
                problem = LiveCheck.problem(machine, upgrade.maxUnavailable());
            }
            instead = problem == null ? null : new Report.NotNow(problem);
        }
        if (instead != null) {
            end(instead);
        }
        return instead == null;
    }

    private void call() {
        if (!process.survivesAtTheWorstMoment("with a licence, before the call") || process.paused()) {
            later(0, this::call);
            return;
        }
        if (habits.checksLicence() && driver.world().now() - licensedAt > LICENCE) {
            later(0, this::license);
            return;
        }
        SimMachine machine = machine();
        if (!mayGoOn() || machine == null || upgrade == null) {
            return;
        }
        CallOutcome outcome =
                machine.node().refresh(command.key(), upgrade.target(), command.attempt(), process.name());
        called = !(outcome instanceof CallOutcome.Conflict || outcome instanceof CallOutcome.NotSent);
        if (process.survives("right after the call")) {
            later(process.takes(2, 200), () -> answered(outcome));
        }
    }

    private void answered(CallOutcome outcome) {
        switch (outcome) {
            case CallOutcome.Accepted accepted ->
                report(
                        new Report.Stepped(Step.REFRESHING, accepted.changeId()),
                        () -> watch.change(accepted.changeId()));
            case CallOutcome.NothingToDo nothing -> watch.verifyUnchanged();
            case CallOutcome.Conflict conflict -> later(5000, this::preflight);
            case CallOutcome.NotSent notSent -> later(5000, this::preflight);
            case CallOutcome.Refused refused ->
                end(new Report.Failed(FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node refuses our token"));
            case CallOutcome.NoAnswer noAnswer -> {
                if (habits.onlyVerifies()) {
                    watch.verify(null, false);
                } else {
                    later(5000, this::license);
                }
            }
        }
    }
}
