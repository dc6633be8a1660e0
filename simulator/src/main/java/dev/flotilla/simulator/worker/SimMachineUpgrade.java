package dev.flotilla.simulator.worker;

import dev.flotilla.core.command.CommandedUpgrade;
import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ConnectResult;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.node.RefreshCallResult;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.SimProcess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One attempt in a simulated worker: performs the actions of its upgrade on the simulated node. */
final class SimMachineUpgrade {
    private static final ConnectResult TOKEN_REJECTED = new ConnectResult.ConnectionRefused(
            FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node rejects our token");
    private static final String API_FAILS = "the management cluster answers 500";
    private static final long IDLE_NODE = 5000;
    private static final long POLL = 8000;
    private static final long SLOW_POLL = 60_000;

    private final SimCommandPartition partition;
    private final SimProcess process;
    private final CommandedUpgrade upgrade;
    private final WorkerCommand command;
    private boolean called;

    SimMachineUpgrade(SimCommandPartition partition, CommandedUpgrade upgrade) {
        this.partition = partition;
        this.process = partition.process();
        this.upgrade = upgrade;
        this.command = upgrade.firstCommand();
    }

    void begin(@Nullable AttemptProgress last) {
        perform(upgrade.begin(last, partition.now()));
    }

    /** The worker learns a moment later that its report is committed. */
    void onReportCommitted(AttemptReport report) {
        runLater(process.drawDuration(3, 30), () -> signal(new UpgradeInput.ReportCommitted(report)));
    }

    private void signal(UpgradeInput upgradeInput) {
        perform(upgrade.handle(upgradeInput, partition.now()));
    }

    private void runLater(long delay, Runnable action) {
        process.later(delay, () -> {
            if (!upgrade.isStopped()) {
                action.run();
            }
        });
    }

    void perform(List<UpgradeAction> actions) {
        actions.forEach(this::perform);
    }

    private void perform(UpgradeAction upgradeAction) {
        switch (upgradeAction) {
            case UpgradeAction.WriteReport writeReport -> perform(partition.writeReport(upgrade, writeReport.report()));
            case UpgradeAction.InspectNode inspectNode ->
                runLater(process.drawDuration(5, 100), () -> signal(new UpgradeInput.NodeInspected(inspectNode())));
            case UpgradeAction.ConnectToProvider connectToProvider ->
                signal(new UpgradeInput.ConnectAttempted(connect()));
            // In the simulation every check passes.
            case UpgradeAction.RunChecks runChecks -> runLater(0, () -> signal(new UpgradeInput.ChecksRun(List.of())));
            case UpgradeAction.SetGuards setGuards -> setGuards();
            case UpgradeAction.CheckPreconditions checkPreconditions ->
                runLater(
                        process.drawDuration(50, 500),
                        () -> signal(new UpgradeInput.PreconditionsChecked(preconditionProblem(true))));
            case UpgradeAction.CallUpgrade callUpgrade -> call(callUpgrade, partition.producer());
            case UpgradeAction.PollChange pollChange ->
                runLater(0, () -> signal(new UpgradeInput.ChangePolled(changeStatus(pollChange.changeId()))));
            case UpgradeAction.AbortChange abortChange ->
                runLater(0, () -> signal(new UpgradeInput.ChangePolled(abortedStatus(abortChange.changeId()))));
            case UpgradeAction.Wait wait ->
                runLater(waitMillis(wait.reason()), () -> signal(new UpgradeInput.WaitElapsed()));
            case UpgradeAction.CleanUp cleanUp ->
                runLater(process.drawDuration(1, 50), () -> signal(new UpgradeInput.CleanedUp()));
        }
    }

    private long waitMillis(WaitReason waitReason) {
        return switch (waitReason) {
            case IDLE_NODE -> IDLE_NODE;
            case CHANGE, PROOF -> process.scaledWait(POLL);
            case LATE_PROOF -> SLOW_POLL;
        };
    }

    private @Nullable SimMachine machine() {
        SimMachine machine = partition.workers().site().machine(command.key());
        return machine == null || !machine.uid().equals(command.uid()) ? null : machine;
    }

    /**
     * Whether the node cannot be located: before the call that needs the management cluster's API; afterwards the
     * worker already knows the node.
     */
    private boolean cannotLocateNode() {
        return !called && partition.workers().site().apiFails();
    }

    private NodeInspection inspectNode() {
        if (cannotLocateNode()) {
            return new NodeInspection.Unreachable(API_FAILS);
        }
        SimMachine machine = machine();
        if (machine == null) {
            return new NodeInspection.MachineGone();
        }
        SimNode node = machine.node();
        if (!node.isReachable()) {
            return new NodeInspection.Unreachable("the node is unreachable");
        }
        if (isNodeUpgrade()) {
            return SimNodeUpgradeClient.inspect(
                    node, command, partition.workers().safeguards());
        }
        String revision = machine.provider() == UpgradeProvider.K8SD ? Integer.toString(node.revision()) : null;
        return new NodeInspection.ObservedNode(revision, node.version(), node.isReady(), node.isRefreshing());
    }

    private boolean isNodeUpgrade() {
        return command.provider() == UpgradeProvider.NODE_UPGRADE;
    }

    private ConnectResult connect() {
        if (cannotLocateNode()) {
            return new ConnectResult.NotReachable(API_FAILS);
        }
        SimMachine machine = machine();
        if (machine == null || isNodeUpgrade()) {
            return new ConnectResult.Connected();
        }
        if (machine.provider() != UpgradeProvider.K8SD) {
            return new ConnectResult.NotReachable("no k8sd listens on the node");
        }
        return machine.node().acceptsToken() ? new ConnectResult.Connected() : TOKEN_REJECTED;
    }

    /** Most guards are set quickly; a slow API server or a drain takes longer. */
    private void setGuards() {
        boolean slow = process.chance().percent(5);
        if (slow) {
            signal(new UpgradeInput.DrainStarted());
        }
        runLater(
                slow ? process.drawDuration(2000, 90_000) : process.drawDuration(50, 500),
                () -> signal(new UpgradeInput.GuardsSet(preconditionProblem(false))));
    }

    private @Nullable String preconditionProblem(boolean checksCluster) {
        if (partition.workers().site().apiFails()) {
            return "the machine cannot be read: " + API_FAILS;
        }
        SimMachine machine = machine();
        if (machine == null) {
            return "no such machine";
        }
        String problem = machine.callProblem(command.uid());
        WorkerCommand.UpgradeMachine upgradeCommand = upgrade.upgradeCommand();
        return problem == null && checksCluster
                ? SimPreconditionCheck.problem(machine, upgradeCommand == null ? 0 : upgradeCommand.maxUnavailable())
                : problem;
    }

    /** Makes the call, unless its time has passed or the session of its permit is over. */
    private void call(UpgradeAction.CallUpgrade callUpgrade, @Nullable SimProducer session) {
        if (!process.continuesAfterCriticalStep("with a call permit, before the call") || process.isPaused()) {
            runLater(0, () -> call(callUpgrade, session));
            return;
        }
        boolean inSession = partition.isSessionOpen() && partition.producer() == session;
        if (!inSession || !callUpgrade.isInTime(partition.workers().now())) {
            signal(new UpgradeInput.CallReturned(new CallResult.NotSent("the time of the call had passed")));
            return;
        }
        called = true;
        SimMachine machine = machine();
        RefreshCallResult outcome = machine == null ? new RefreshCallResult.NotSent() : call(callUpgrade, machine);
        if (process.continuesAfter("right after the call")) {
            runLater(process.drawDuration(2, 200), () -> signal(new UpgradeInput.CallReturned(toCallResult(outcome))));
        }
    }

    private RefreshCallResult call(UpgradeAction.CallUpgrade callUpgrade, SimMachine machine) {
        if (command instanceof WorkerCommand.PrepareMachine prepare) {
            return partition.workers().site().apiFails()
                    ? new RefreshCallResult.NotSent()
                    : SimNodeUpgradeClient.prepare(machine.node(), prepare);
        }
        WorkerCommand.UpgradeMachine upgradeCommand = upgrade.upgradeCommand();
        if (!isNodeUpgrade() || upgradeCommand == null) {
            return machine.node().refresh(command.key(), callUpgrade.target(), command.attemptId(), process.name());
        }
        return partition.workers().site().apiFails()
                ? new RefreshCallResult.NotSent()
                : SimNodeUpgradeClient.create(
                        machine.node(),
                        upgradeCommand,
                        process,
                        partition.workers().safeguards());
    }

    private static CallResult toCallResult(RefreshCallResult outcome) {
        return switch (outcome) {
            case RefreshCallResult.ChangeStarted changeStarted ->
                new CallResult.ChangeStarted(changeStarted.changeId());
            case RefreshCallResult.NothingToDo nothing -> new CallResult.NothingToDo();
            case RefreshCallResult.NodeBusy nodeBusy ->
                new CallResult.NodeBusy("another change is running on the node");
            case RefreshCallResult.NotSent notSent -> new CallResult.NotSent("the node is unreachable");
            case RefreshCallResult.CallRejected callRejected ->
                new CallResult.CallRejected(
                        FailureClass.TERMINAL, FailureReason.CREDENTIALS, "the node rejects our token");
            case RefreshCallResult.NoAnswer noAnswer -> new CallResult.NoAnswer("the connection was cut");
        };
    }

    /** Only a NodeUpgrade is aborted: a refresh of k8sd goes on. */
    private ChangeStatus abortedStatus(String id) {
        SimMachine machine = machine();
        return machine == null || !isNodeUpgrade() || cannotReadObjects()
                ? changeStatus(id)
                : SimNodeUpgradeClient.abort(
                        machine.node(), id, partition.workers().safeguards());
    }

    private boolean cannotReadObjects() {
        return cannotLocateNode()
                || (isNodeUpgrade() && partition.workers().site().apiFails());
    }

    private ChangeStatus changeStatus(String id) {
        if (cannotReadObjects()) {
            return new ChangeStatus.StatusUnavailable(API_FAILS);
        }
        SimMachine machine = machine();
        if (machine != null && isNodeUpgrade()) {
            return SimNodeUpgradeClient.status(
                    machine.node(), id, partition.workers().safeguards());
        }
        String status = machine == null ? null : machine.node().status(id);
        if (status == null) {
            return new ChangeStatus.StatusUnavailable("the node is unreachable");
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
