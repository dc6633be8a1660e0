package dev.flotilla.simulator.worker;

import dev.flotilla.core.procedure.CallResult;
import dev.flotilla.core.procedure.ChangeStatus;
import dev.flotilla.core.procedure.ClockReading;
import dev.flotilla.core.procedure.ConnectResult;
import dev.flotilla.core.procedure.NodeInspection;
import dev.flotilla.core.procedure.UpgradeAction;
import dev.flotilla.core.procedure.UpgradeInput;
import dev.flotilla.core.procedure.UpgradeProcedure;
import dev.flotilla.core.procedure.WaitReason;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.RefreshCallResult;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.SimProcess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attempt in the hands of a simulated worker: performs on the simulated node what the procedure wants done. */
final class SimMachineUpgrade {
    private static final ConnectResult TOKEN_REFUSED = new ConnectResult.ConnectionRefused(
            FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node refuses our token");
    private static final String API_FAILS = "the management cluster answers 500";
    private static final long IDLE_NODE = 5000;
    private static final long POLL = 8000;
    private static final long SLOW_POLL = 60_000;

    private final SimPartitionSession driver;
    private final SimProcess process;
    private final UpgradeProcedure procedure;
    private WorkerCommand command;
    private int maxUnavailable;
    private int reports;
    private boolean stopped;
    private boolean called;

    SimMachineUpgrade(SimPartitionSession driver, WorkerCommand command) {
        this.driver = driver;
        this.process = driver.process();
        this.procedure = new UpgradeProcedure(command, driver.world().habits());
        this.command = command;
        take(command);
    }

    long attempt() {
        return procedure.attemptId();
    }

    void stop() {
        stopped = true;
    }

    /** The same attempt's command is renewed, or taken back. */
    void updateCommand(WorkerCommand next) {
        take(next);
        signal(new UpgradeInput.CommandChanged(next));
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

    private ClockReading now() {
        return driver.now();
    }

    private void signal(UpgradeInput upgradeInput) {
        if (!stopped) {
            perform(procedure.handle(upgradeInput, now()));
        }
    }

    private void later(long delay, Runnable action) {
        driver.later(delay, () -> {
            if (!stopped) {
                action.run();
            }
        });
    }

    private void perform(List<UpgradeAction> acts) {
        acts.forEach(this::perform);
    }

    private void perform(UpgradeAction upgradeAction) {
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> write(writeReport.report(), ++reports);
            case UpgradeAction.InspectNode inspectNode ->
                later(process.drawDuration(5, 100), () -> signal(new UpgradeInput.NodeInspected(sight())));
            case UpgradeAction.ConnectToK8sd connectToK8sd -> signal(new UpgradeInput.ConnectAttempted(contact()));
            // In this world every check holds.
            case UpgradeAction.RunChecks runChecks -> later(0, () -> signal(new UpgradeInput.ChecksRun(List.of())));
            case UpgradeAction.SetGuards setGuards -> guard();
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                later(
                        process.drawDuration(50, 500),
                        () -> signal(new UpgradeInput.PreconditionsChecked(forbidden(true))));
            case UpgradeAction.CallRefresh callRefresh -> call(callRefresh);
            case UpgradeAction.PollChange pollChange ->
                later(0, () -> signal(new UpgradeInput.ChangePolled(change(pollChange.changeId()))));
            case UpgradeAction.Wait wait -> later(length(wait.reason()), () -> signal(new UpgradeInput.WaitElapsed()));
            case UpgradeAction.CleanUp cleanUp ->
                later(process.drawDuration(1, 50), () -> signal(new UpgradeInput.CleanedUp()));
        }
    }

    /** A report that could not be written gives way to a later one. */
    private void write(AttemptReport report, int number) {
        if (number == reports && !stopped) {
            driver.report(
                    command,
                    report,
                    () -> write(report, number),
                    () -> signal(new UpgradeInput.ReportCommitted(report)));
        }
    }

    private long length(WaitReason waitReason) {
        return switch (waitReason) {
            case IDLE_NODE -> IDLE_NODE;
            case CHANGE, PROOF -> process.scaledWait(POLL);
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

    private NodeInspection sight() {
        if (isLost()) {
            return new NodeInspection.Unreachable(API_FAILS);
        }
        SimMachine machine = machine();
        if (machine == null) {
            return new NodeInspection.MachineGone();
        }
        SimNode node = machine.node();
        return node.isReachable()
                ? new NodeInspection.ObservedNode(
                        Integer.toString(node.revision()), node.version(), node.isReady(), node.isRefreshing())
                : new NodeInspection.Unreachable("the node does not answer");
    }

    private ConnectResult contact() {
        if (isLost()) {
            return new ConnectResult.NotReachable(API_FAILS);
        }
        SimMachine machine = machine();
        return machine == null || machine.node().acceptsToken() ? new ConnectResult.Connected() : TOKEN_REFUSED;
    }

    /** Most guards are set at once; an API server that is slow, or a drain, takes its time. */
    private void guard() {
        boolean slow = process.chance().percent(5);
        if (slow) {
            signal(new UpgradeInput.DrainStarted());
        }
        later(
                slow ? process.drawDuration(2000, 90_000) : process.drawDuration(50, 500),
                () -> signal(new UpgradeInput.GuardsSet(forbidden(false))));
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
        return problem == null && byItsCluster ? SimPreconditionCheck.problem(machine, maxUnavailable) : problem;
    }

    private void call(UpgradeAction.CallRefresh callRefresh) {
        if (!process.continuesAfterCriticalStep("with a licence, before the call") || process.isPaused()) {
            later(0, () -> signal(new UpgradeInput.PermitExpired()));
            return;
        }
        if (driver.world().now() >= callRefresh.permitDeadline()) {
            signal(new UpgradeInput.PermitExpired());
            return;
        }
        called = true;
        SimMachine machine = machine();
        RefreshCallResult outcome = machine == null
                ? new RefreshCallResult.NotSent()
                : machine.node().refresh(command.key(), callRefresh.target(), attempt(), process.name());
        if (process.continuesAfter("right after the call")) {
            later(process.drawDuration(2, 200), () -> signal(new UpgradeInput.CallReturned(answer(outcome))));
        }
    }

    private static CallResult answer(RefreshCallResult outcome) {
        return switch (outcome) {
            case RefreshCallResult.ChangeStarted changeStarted ->
                new CallResult.ChangeStarted(changeStarted.changeId());
            case RefreshCallResult.NothingToDo nothing -> new CallResult.NothingToDo();
            case RefreshCallResult.NodeBusy nodeBusy ->
                new CallResult.NodeBusy("another change is at work on the node");
            case RefreshCallResult.NotSent notSent -> new CallResult.NotSent("the node does not answer");
            case RefreshCallResult.CallRejected callRejected ->
                new CallResult.CallRejected(
                        FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node refuses our token");
            case RefreshCallResult.NoAnswer noAnswer -> new CallResult.NoAnswer("the connection was cut");
        };
    }

    private ChangeStatus change(String id) {
        if (isLost()) {
            return new ChangeStatus.StatusUnavailable(API_FAILS);
        }
        SimMachine machine = machine();
        String status = machine == null ? null : machine.node().status(id);
        if (status == null) {
            return new ChangeStatus.StatusUnavailable("the node does not answer");
        }
        return switch (status) {
            case "Done" -> new ChangeStatus.ChangeDone();
            case "" -> new ChangeStatus.ChangeForgotten();
            case "Error", "Undone", "Hold" -> new ChangeStatus.ChangeFailed("change " + id + " is " + status);
            case "Wait" -> new ChangeStatus.Blocked("change " + id + " is " + status);
            default -> new ChangeStatus.InProgress("change " + id + " is " + status);
        };
    }
}
