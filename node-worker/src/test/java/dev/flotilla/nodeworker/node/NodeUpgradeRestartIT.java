package dev.flotilla.nodeworker.node;

import static dev.flotilla.nodeworker.stub.KubeApiStub.done;
import static dev.flotilla.nodeworker.stub.TwoClusterFixture.NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.CallResult;
import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeProcedure;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.SampleObjects;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.nodeworker.upgrade.NodeUpgrader;
import dev.flotilla.nodeworker.upgrade.UpgradeAttemptParameters;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.WorkerCommand;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A worker that dies at any action, before or after it, leaves one object for its attempt, and the next one ends it. */
class NodeUpgradeRestartIT {
    private static final long STEP = 10_000;
    private static final int MAX_ACTIONS = 100;
    private static final int NEVER = -1;
    /** Inspecting, connecting, setting guards, and then the report. */
    private static final int PERMIT_COMMITTED_AT = 3;

    private static TwoClusterFixture world;
    private static long attempts = 100;

    private final List<AttemptReport> committed = new ArrayList<>();
    private int actionsDone;
    /** Which action was the call. */
    private int callAction;

    @BeforeAll
    static void start() throws Exception {
        world = new TwoClusterFixture();
        NodeUpgradeApiStub.serve(world.management);
    }

    @AfterAll
    static void stop() throws Exception {
        world.close();
    }

    /** One worker process: it has its own procedure and node upgrader, and knows only the committed reports. */
    private final class Worker {
        private final UpgradeProcedure procedure;
        private final NodeUpgrader nodeUpgrader;
        private final Deque<UpgradeAction> todo = new ArrayDeque<>();
        private @Nullable Instant changedAt;

        Worker(WorkerCommand.UpgradeMachine command) {
            UpgradeAttemptParameters parameters =
                    NodeUpgradeApiStub.worker(command.attemptId(), NodeUpgradeApiStub.REF);
            AttemptReport last = committed.isEmpty() ? null : committed.get(committed.size() - 1);
            procedure = new UpgradeProcedure(command, UpgradeSafeguards.ALL);
            nodeUpgrader = world.upgrader(parameters, last != null);
            changedAt = last instanceof AttemptReport.StepReached step && step.step().mayHaveCalled() ? world.now : null;
            todo.addAll(procedure.begin(
                    last == null
                            ? null
                            : new AttemptProgress(command.key(), command.uid(), command.attemptId(), last, world.now),
                    clocks()));
        }

        /** Works until it has ended or dies; returns whether it has ended. */
        boolean run(int diesBefore, int diesAfter) throws Exception {
            while (!todo.isEmpty()) {
                if (actionsDone == diesBefore) {
                    return false;
                }
                UpgradeInput input = perform(todo.remove());
                if (actionsDone++ == diesAfter) {
                    return false;
                }
                assertThat(actionsDone).isLessThan(MAX_ACTIONS);
                if (input != null) {
                    todo.addAll(procedure.handle(input, clocks()));
                }
            }
            return procedure.isOver();
        }

        private @Nullable UpgradeInput perform(UpgradeAction action) throws Exception {
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
                    callAction = actionsDone;
                    CallResult result = done(nodeUpgrader.callUpgrade(call.target(), () -> true));
                    changedAt = result instanceof CallResult.NoAnswer ? world.now : changedAt;
                    yield new UpgradeInput.CallReturned(result);
                }
                case UpgradeAction.PollChange poll -> polled(done(nodeUpgrader.pollChange(poll.changeId())));
                case UpgradeAction.AbortChange abort -> polled(done(nodeUpgrader.abortChange(abort.changeId())));
                case UpgradeAction.Wait wait -> {
                    world.pass(STEP);
                    playController();
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
    }

    private static ClockReading clocks() {
        return new ClockReading(world.now.toEpochMilli(), world.now.toEpochMilli());
    }

    /** Nodes stay well; a NodeUpgrade runs for a step, then its node has the new version. */
    private static void playController() {
        boolean upgraded = false;
        for (String path : NodeUpgradeApiStub.objects(world.management)) {
            boolean running = world.management.objects.get(path).containsKey("status");
            upgraded |= running;
            NodeUpgradeApiStub.report(
                    world.management,
                    path,
                    "{'phase': '" + (running ? "Succeeded" : "Running") + "', 'lastHeartbeat': '" + world.now + "'}");
        }
        putNode(upgraded ? "v1.36.3" : "v1.35.4");
    }

    private static void putNode(String version) {
        JsonObject node = SampleObjects.node("", version, world.now, "10.0.0.1");
        node.getJsonObject("metadata").remove("annotations");
        world.workload.put(NODE, node);
    }

    private static WorkerCommand.UpgradeMachine nextCommand() {
        NodeUpgradeApiStub.objects(world.management).forEach(world.management.objects::remove);
        putNode("v1.35.4");
        return new WorkerCommand.UpgradeMachine(
                        TwoClusterFixture.parameters("m-1", TwoClusterFixture.UID, MachineRole.WORKER)
                                .key(),
                        TwoClusterFixture.UID,
                        ++attempts,
                        MachineRole.WORKER,
                        NodeUpgradeApiStub.TARGET,
                        null,
                        null,
                        1,
                        world.now.plusSeconds(3600))
                .withNodeUpgrade(NodeUpgradeApiStub.REF);
    }

    private void runTwoWorkers(int diesBefore, int diesAfter) throws Exception {
        WorkerCommand.UpgradeMachine command = nextCommand();
        committed.clear();
        actionsDone = 0;
        if (!new Worker(command).run(diesBefore, diesAfter)) {
            assertThat(new Worker(command).run(NEVER, NEVER)).isTrue();
        }
        assertThat(world.management.annotation(TwoClusterFixture.MACHINE, "flotilla.dev/attempt"))
                .isNull();
    }

    private static void assertOneObject() {
        assertThat(NodeUpgradeApiStub.objects(world.management))
                .containsExactly(NodeUpgradeApiStub.OBJECTS + "/" + NodeUpgradeApiStub.objectName(attempts));
    }

    private AttemptReport lastReport() {
        return committed.get(committed.size() - 1);
    }

    @Test
    void aWorkerMayDieAtAnyAction() throws Exception {
        runTwoWorkers(NEVER, NEVER);
        assertOneObject();
        assertThat(committed.get(0)).isEqualTo(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        int callsAt = callAction;
        int all = actionsDone;
        for (int at = 0; at < all; at++) {
            // With a permit and without a call: nobody calls again, and the attempt fails for good.
            runAndAssert(at, NEVER, at > PERMIT_COMMITTED_AT && at <= callsAt);
            runAndAssert(NEVER, at, at >= PERMIT_COMMITTED_AT && at < callsAt);
        }
    }

    private void runAndAssert(int diesBefore, int diesAfter, boolean neverCalled) throws Exception {
        runTwoWorkers(diesBefore, diesAfter);
        if (neverCalled) {
            assertThat(NodeUpgradeApiStub.objects(world.management)).isEmpty();
            assertThat(lastReport()).isInstanceOfSatisfying(AttemptReport.Failed.class, failed -> {
                assertThat(failed.failureClass()).isEqualTo(FailureClass.RETRYABLE);
                assertThat(failed.reason()).isEqualTo(FailureReason.CHANGE_LOST);
            });
            return;
        }
        assertOneObject();
        assertThat(lastReport())
                .as("died before action %d or after %d", diesBefore, diesAfter)
                .isEqualTo(new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, null, "v1.36.3"));
    }
}
