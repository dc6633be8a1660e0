package dev.flotilla.nodeworker.fault;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WorkerCommand;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs an attempt of worker m-1 with the real procedure and the real client of NodeUpgrades, one action after another. It is one
 * worker process: it knows only the committed reports.
 */
final class NodeUpgradeAttemptRunner {
    private final TwoClusterFixture world;
    private final List<AttemptReport> committed;
    private final Runnable onWait;
    private final UpgradeProcedure procedure;
    private final NodeUpgrader nodeUpgrader;
    private final Deque<UpgradeAction> todo = new ArrayDeque<>();
    private final WorkerCommand.UpgradeMachine command;
    private boolean cancelsAfterCall;
    private @Nullable Instant changedAt;

    /**
     * Begins or continues an attempt.
     *
     * @param committed the reports so far, and those to come
     * @param onWait called after each wait, when the clock has moved
     */
    NodeUpgradeAttemptRunner(
            TwoClusterFixture world,
            WorkerCommand.UpgradeMachine command,
            List<AttemptReport> committed,
            Runnable onWait) {
        this.world = world;
        this.command = command;
        this.committed = committed;
        this.onWait = onWait;
        AttemptReport last = committed.isEmpty() ? null : committed.get(committed.size() - 1);
        procedure = new UpgradeProcedure(command, UpgradeSafeguards.ALL);
        nodeUpgrader =
                world.upgrader(NodeUpgradeApiStub.worker(command.attemptId(), NodeUpgradeApiStub.REF), last != null);
        changedAt =
                last instanceof AttemptReport.StepReached step && step.step().mayHaveCalled() ? world.now : null;
        todo.addAll(procedure.begin(
                last == null
                        ? null
                        : new AttemptProgress(command.key(), command.uid(), command.attemptId(), last, world.now),
                clocks()));
    }

    static WorkerCommand.UpgradeMachine command(TwoClusterFixture world, long attempt) {
        return new WorkerCommand.UpgradeMachine(
                        TwoClusterFixture.parameters("m-1", TwoClusterFixture.UID, MachineRole.WORKER)
                                .key(),
                        TwoClusterFixture.UID,
                        attempt,
                        MachineRole.WORKER,
                        NodeUpgradeApiStub.TARGET,
                        null,
                        null,
                        1,
                        world.now.plusSeconds(3600))
                .withNodeUpgrade(NodeUpgradeApiStub.REF);
    }

    /** The node of the worker, as a kubelet that lives shows it. */
    static void putNode(TwoClusterFixture world, String version) {
        JsonObject node = SampleObjects.node("", version, world.now, "10.0.0.1");
        node.getJsonObject("metadata").remove("annotations");
        world.workload.put(TwoClusterFixture.NODE, node);
    }

    /** The leader cancels the attempt while the worker waits for the first time after its call. */
    void cancelAfterCall() {
        cancelsAfterCall = true;
    }

    private void cancel() {
        cancelsAfterCall = false;
        WorkerCommand.CancelUpgrade cancel = new WorkerCommand.CancelUpgrade(
                command.key(),
                command.uid(),
                command.attemptId(),
                "rollout-ended",
                command.provider(),
                command.template(),
                new WorkerCommand.CancelledUpgrade(command.role(), command.target(), null));
        todo.addAll(procedure.handle(new UpgradeInput.CommandChanged(cancel), clocks()));
    }

    /**
     * Works until the attempt has ended.
     *
     * @param diesBefore whether the worker dies before an action
     * @param diesAfter whether it dies after an action, before it handles the result
     * @return whether the attempt has ended
     */
    boolean run(Predicate<UpgradeAction> diesBefore, Predicate<UpgradeAction> diesAfter) throws Exception {
        while (!todo.isEmpty()) {
            UpgradeAction action = todo.remove();
            if (diesBefore.test(action)) {
                return false;
            }
            UpgradeInput input = perform(action);
            if (diesAfter.test(action)) {
                return false;
            }
            if (input != null) {
                todo.addAll(procedure.handle(input, clocks()));
            }
        }
        return procedure.isOver();
    }

    private UpgradeInput perform(UpgradeAction action) throws Exception {
        return switch (action) {
            case UpgradeAction.WriteReport write -> {
                committed.add(write.report());
                yield new UpgradeInput.ReportCommitted(write.report());
            }
            case UpgradeAction.InspectNode inspect ->
                new UpgradeInput.NodeInspected(done(nodeUpgrader.inspectNode(changedAt)));
            case UpgradeAction.ConnectToProvider connect ->
                new UpgradeInput.ConnectAttempted(done(nodeUpgrader.connectToProvider()));
            case UpgradeAction.RunChecks run -> new UpgradeInput.ChecksRun(List.of());
            case UpgradeAction.SetGuards set ->
                new UpgradeInput.GuardsSet(done(nodeUpgrader.setGuards(world.now.plusSeconds(60), () -> {})));
            case UpgradeAction.CheckPreconditions check ->
                new UpgradeInput.PreconditionsChecked(done(nodeUpgrader.checkPreconditions()));
            case UpgradeAction.CallUpgrade call -> {
                CallResult result = done(nodeUpgrader.callUpgrade(call.target(), () -> true));
                changedAt = result instanceof CallResult.NoAnswer ? world.now : changedAt;
                yield new UpgradeInput.CallReturned(result);
            }
            case UpgradeAction.PollChange poll -> polled(done(nodeUpgrader.pollChange(poll.changeId())));
            case UpgradeAction.AbortChange abort -> polled(done(nodeUpgrader.abortChange(abort.changeId())));
            case UpgradeAction.Wait wait -> {
                world.pass(length(wait.reason()).toMillis());
                if (cancelsAfterCall && wait.reason() == WaitReason.CHANGE) {
                    cancel();
                }
                onWait.run();
                yield new UpgradeInput.WaitElapsed();
            }
            case UpgradeAction.CleanUp clean -> {
                done(nodeUpgrader.cleanUp());
                yield new UpgradeInput.CleanedUp();
            }
        };
    }

    private UpgradeInput polled(ChangeStatus status) {
        changedAt = status instanceof ChangeStatus.ChangeDone || status instanceof ChangeStatus.ChangeForgotten
                ? world.now
                : changedAt;
        return new UpgradeInput.ChangePolled(status);
    }

    private static Duration length(WaitReason waitReason) {
        return switch (waitReason) {
            case IDLE_NODE, CHANGE -> Duration.ofSeconds(20);
            case PROOF -> Duration.ofSeconds(12);
            case LATE_PROOF -> Duration.ofMinutes(5);
        };
    }

    private ClockReading clocks() {
        return new ClockReading(world.now.toEpochMilli(), world.now.toEpochMilli());
    }
}
