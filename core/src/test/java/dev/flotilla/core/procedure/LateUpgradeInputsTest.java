package dev.flotilla.core.procedure;

import static dev.flotilla.core.procedure.UpgradeProcedureHarness.NOTHING;
import static dev.flotilla.core.procedure.UpgradeProcedureHarness.TARGET;
import static dev.flotilla.core.procedure.UpgradeProcedureHarness.node;
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

/** Whatever a slow shell still says of what was asked for earlier, nothing is called, said or ended by it. */
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
            new UpgradeInput.PermitExpired(),
            new UpgradeInput.CallReturned(new CallResult.ChangeStarted("8")),
            new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()),
            new UpgradeInput.WaitElapsed(),
            new UpgradeInput.CleanedUp(),
            new UpgradeInput.ReportCommitted(new AttemptReport.StepReached(AttemptStep.GUARDING, null)),
            new UpgradeInput.ReportCommitted(new AttemptReport.OutcomeUnknown("crashed")));

    /** How a stage is reached, and the signals that mean something there. */
    private static Arguments stage(String name, Consumer<UpgradeProcedureHarness> reach, Class<?>... awaited) {
        return Arguments.of(name, reach, Arrays.asList(awaited));
    }

    static Stream<Arguments> stages() {
        return Stream.of(
                stage(
                        "looking",
                        LateUpgradeInputsTest::looking,
                        UpgradeInput.NodeInspected.class,
                        UpgradeInput.WaitElapsed.class),
                stage("reaching", LateUpgradeInputsTest::reaching, UpgradeInput.ConnectAttempted.class),
                stage(
                        "guarding",
                        LateUpgradeInputsTest::guarding,
                        UpgradeInput.GuardsSet.class,
                        UpgradeInput.DrainStarted.class),
                stage("licensing", LateUpgradeInputsTest::licensing),
                stage("judging", LateUpgradeInputsTest::judging, UpgradeInput.PreconditionsChecked.class),
                stage(
                        "calling",
                        UpgradeProcedureHarness::upToTheCall,
                        UpgradeInput.PermitExpired.class,
                        UpgradeInput.CallReturned.class),
                stage("noting", LateUpgradeInputsTest::noting),
                stage(
                        "watching",
                        UpgradeProcedureHarness::upToTheChange,
                        UpgradeInput.ChangePolled.class,
                        UpgradeInput.WaitElapsed.class),
                stage("glancing", LateUpgradeInputsTest::glancing, UpgradeInput.NodeInspected.class),
                stage("awaiting", LateUpgradeInputsTest::awaiting, UpgradeInput.NodeInspected.class),
                stage(
                        "verifying",
                        LateUpgradeInputsTest::verifying,
                        UpgradeInput.NodeInspected.class,
                        UpgradeInput.WaitElapsed.class),
                stage("asking", LateUpgradeInputsTest::asking, UpgradeInput.ChangePolled.class),
                stage("undoing", LateUpgradeInputsTest::undoing, UpgradeInput.CleanedUp.class),
                stage("ended", LateUpgradeInputsTest::ended));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stages")
    void changeNothing(String name, Consumer<UpgradeProcedureHarness> reach, List<Class<?>> awaited) {
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

    private static void looking(UpgradeProcedureHarness worker) {
        worker.begin(null);
    }

    private static void reaching(UpgradeProcedureHarness worker) {
        looking(worker);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
    }

    private static void guarding(UpgradeProcedureHarness worker) {
        reaching(worker);
        worker.signal(UpgradeProcedureHarness.REACHED);
    }

    private static void licensing(UpgradeProcedureHarness worker) {
        guarding(worker);
        worker.signal(new UpgradeInput.GuardsSet(null));
    }

    private static void judging(UpgradeProcedureHarness worker) {
        licensing(worker);
        worker.written();
    }

    private static void noting(UpgradeProcedureHarness worker) {
        worker.upToTheCall();
        worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")));
    }

    private static void glancing(UpgradeProcedureHarness worker) {
        worker.upToTheChange();
        worker.signal(SILENT);
        worker.now += UpgradeTimeouts.SILENCE_BEFORE_API_PROBE + 1;
        worker.signal(SILENT);
    }

    private static void awaiting(UpgradeProcedureHarness worker) {
        worker.upToTheChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.AwaitsPeers("2 members are not yet upgraded")));
    }

    private static void verifying(UpgradeProcedureHarness worker) {
        worker.upToTheChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(DARK);
    }

    private static void asking(UpgradeProcedureHarness worker) {
        worker.upToTheChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(UNTOLD);
    }

    private static void undoing(UpgradeProcedureHarness worker) {
        guarding(worker);
        worker.signal(new UpgradeInput.GuardsSet("on hold"));
    }

    private static void ended(UpgradeProcedureHarness worker) {
        undoing(worker);
        worker.signal(new UpgradeInput.CleanedUp());
    }
}
