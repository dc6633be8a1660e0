package dev.flotilla.nodeworker.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.nodeworker.stub.NodeUpgradeApiStub;
import dev.flotilla.nodeworker.stub.TwoClusterFixture;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A worker that dies at any action, before or after it, leaves one object for its attempt, and the next one ends it. */
class NodeUpgradeRestartIT {
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

    /** Nodes stay well; a NodeUpgrade runs for a while, then its node has the new version. */
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
        NodeUpgradeAttemptRunner.putNode(world, upgraded ? "v1.36.3" : "v1.35.4");
    }

    private void runTwoWorkers(int diesBefore, int diesAfter) throws Exception {
        NodeUpgradeApiStub.objects(world.management).forEach(world.management.objects::remove);
        NodeUpgradeAttemptRunner.putNode(world, "v1.35.4");
        WorkerCommand.UpgradeMachine command = NodeUpgradeAttemptRunner.command(world, ++attempts);
        committed.clear();
        actionsDone = 0;
        if (!runWorker(command, diesBefore, diesAfter)) {
            assertThat(runWorker(command, NEVER, NEVER)).isTrue();
        }
        assertThat(world.management.annotation(TwoClusterFixture.MACHINE, "flotilla.dev/attempt"))
                .isNull();
    }

    private boolean runWorker(WorkerCommand.UpgradeMachine command, int diesBefore, int diesAfter) throws Exception {
        return new NodeUpgradeAttemptRunner(world, command, committed, NodeUpgradeRestartIT::playController)
                .run(action -> actionsDone == diesBefore, action -> {
                    assertThat(actionsDone).isLessThan(MAX_ACTIONS);
                    callAction = action instanceof UpgradeAction.CallUpgrade ? actionsDone : callAction;
                    return actionsDone++ == diesAfter;
                });
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
