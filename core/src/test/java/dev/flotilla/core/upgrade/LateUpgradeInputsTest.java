package dev.flotilla.core.upgrade;

import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.NOTHING;
import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.TARGET;
import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Late inputs never cause a call, a report or an end. */
class LateUpgradeInputsTest {
    private static final UpgradeInput DARK =
            new UpgradeInput.NodeInspected(new NodeInspection.Unreachable("connection refused"));
    private static final UpgradeInput SILENT =
            new UpgradeInput.ChangePolled(new ChangeStatus.StatusUnavailable("connection refused"));
    private static final UpgradeInput UNTOLD =
            new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode(null, "v1.33.0", true, false));
    private static final List<UpgradeInput> ALL = List.of(
            new UpgradeInput.NodeInspected(node("3100")),
            UpgradeProcedureHarness.REACHED,
            new UpgradeInput.GuardsSet("on hold"),
            new UpgradeInput.DrainStarted(),
            new UpgradeInput.PreconditionsChecked(null),
            new UpgradeInput.ChecksRun(List.of()),
            new UpgradeInput.CallReturned(new CallResult.ChangeStarted("8")),
            new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()),
            new UpgradeInput.WaitElapsed(),
            new UpgradeInput.CleanedUp(),
            new UpgradeInput.ReportCommitted(new AttemptReport.StepReached(AttemptStep.GUARDING, null)),
            new UpgradeInput.ReportCommitted(new AttemptReport.OutcomeUnknown("crashed")));

    /** How a state is reached, and the inputs that it handles. */
    private static Arguments stage(String name, Consumer<UpgradeProcedureHarness> reach, Class<?>... awaited) {
        return Arguments.of(name, reach, Arrays.asList(awaited));
    }

    static Stream<Arguments> stages() {
        return Stream.of(
                stage(
                        "looking",
                        LateUpgradeInputsTest::inspectingNode,
                        UpgradeInput.NodeInspected.class,
                        UpgradeInput.WaitElapsed.class),
                stage("reaching", LateUpgradeInputsTest::connecting, UpgradeInput.ConnectAttempted.class),
                stage(
                        "guarding",
                        LateUpgradeInputsTest::settingGuards,
                        UpgradeInput.GuardsSet.class,
                        UpgradeInput.DrainStarted.class),
                stage("licensing", LateUpgradeInputsTest::writingPermit),
                stage("judging", LateUpgradeInputsTest::checkingPreconditions, UpgradeInput.PreconditionsChecked.class),
                stage("calling", UpgradeProcedureHarness::runToCall, UpgradeInput.CallReturned.class),
                stage("noting", LateUpgradeInputsTest::recordingChangeId),
                stage(
                        "watching",
                        UpgradeProcedureHarness::runToChange,
                        UpgradeInput.ChangePolled.class,
                        UpgradeInput.WaitElapsed.class),
                stage("glancing", LateUpgradeInputsTest::probingApiServer, UpgradeInput.NodeInspected.class),
                stage("awaiting", LateUpgradeInputsTest::awaitingPeers, UpgradeInput.NodeInspected.class),
                stage(
                        "verifying",
                        LateUpgradeInputsTest::verifying,
                        UpgradeInput.NodeInspected.class,
                        UpgradeInput.WaitElapsed.class),
                stage("asking", LateUpgradeInputsTest::queryingK8sd, UpgradeInput.ChangePolled.class),
                stage("undoing", LateUpgradeInputsTest::cleaningUp, UpgradeInput.CleanedUp.class),
                stage("ended", LateUpgradeInputsTest::ended));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stages")
    void lateInputsChangeNothing(String name, Consumer<UpgradeProcedureHarness> reach, List<Class<?>> awaited) {
        List<UpgradeInput> late = new ArrayList<>(ALL);
        late.removeIf(upgradeInput -> awaited.contains(upgradeInput.getClass()));
        for (UpgradeInput upgradeInput : late) {
            UpgradeProcedureHarness worker = new UpgradeProcedureHarness(
                    UpgradeProcedureHarness.command(MachineRole.CONTROL_PLANE, TARGET, null, null));
            reach.accept(worker);
            boolean over = worker.isOver();
            assertThat(worker.signal(upgradeInput)).as("after %s", upgradeInput).isSameAs(NOTHING);
            assertThat(worker.isOver()).isEqualTo(over);
        }
    }

    private static void inspectingNode(UpgradeProcedureHarness worker) {
        worker.begin(null);
    }

    private static void connecting(UpgradeProcedureHarness worker) {
        inspectingNode(worker);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
    }

    private static void settingGuards(UpgradeProcedureHarness worker) {
        connecting(worker);
        worker.signal(UpgradeProcedureHarness.REACHED);
    }

    private static void writingPermit(UpgradeProcedureHarness worker) {
        settingGuards(worker);
        worker.signal(new UpgradeInput.GuardsSet(null));
    }

    private static void checkingPreconditions(UpgradeProcedureHarness worker) {
        writingPermit(worker);
        worker.commitReport();
    }

    private static void recordingChangeId(UpgradeProcedureHarness worker) {
        worker.runToCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")));
    }

    private static void probingApiServer(UpgradeProcedureHarness worker) {
        worker.runToChange();
        worker.signal(SILENT);
        worker.now += UpgradeTimeouts.SILENCE_BEFORE_API_PROBE + 1;
        worker.signal(SILENT);
    }

    private static void awaitingPeers(UpgradeProcedureHarness worker) {
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.AwaitsPeers("2 members are not yet upgraded")));
    }

    private static void verifying(UpgradeProcedureHarness worker) {
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(DARK);
    }

    private static void queryingK8sd(UpgradeProcedureHarness worker) {
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(UNTOLD);
    }

    private static void cleaningUp(UpgradeProcedureHarness worker) {
        settingGuards(worker);
        worker.signal(new UpgradeInput.GuardsSet("on hold"));
    }

    private static void ended(UpgradeProcedureHarness worker) {
        cleaningUp(worker);
        worker.signal(new UpgradeInput.CleanedUp());
    }
}
