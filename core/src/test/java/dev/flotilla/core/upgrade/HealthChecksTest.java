package dev.flotilla.core.upgrade;

import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.HealthCheck;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the health checks around a call affect an attempt. */
class HealthChecksTest {
    private static final HealthCheck ALERTS = check("alerts", true);
    private static final HealthCheck QUIET = check("quiet", false);
    private static final HealthCheck APP = check("app", true);
    private static final UpgradeInput HOLD = new UpgradeInput.ChecksRun(List.of());

    private final UpgradeProcedureHarness worker = new UpgradeProcedureHarness(
            UpgradeSafeguards.ALL, new CampaignChecks(null, List.of(ALERTS, QUIET), List.of(APP, QUIET)));

    private static HealthCheck check(String name, boolean blocking) {
        return new HealthCheck(
                name, new HealthCheck.PromQlProbe("x", "== 0"), blocking, Duration.ofSeconds(30), List.of());
    }

    private static UpgradeInput failing(HealthCheck... checks) {
        return new UpgradeInput.ChecksRun(List.of(checks).stream()
                .map(check -> new FailedCheck(check, "it is 3"))
                .toList());
    }

    private UpgradeAction checkedBefore() {
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        return worker.signal(new UpgradeInput.ConnectAttempted(new ConnectResult.Connected()));
    }

    /** The change is done, and the node proves it. */
    private UpgradeAction proven() {
        checkedBefore();
        worker.signal(HOLD);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.commitReport();
        worker.signal(new UpgradeInput.PreconditionsChecked(null));
        worker.signal(new UpgradeInput.CallReturned(new CallResult.ChangeStarted("7")));
        worker.commitReport();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        return worker.signal(new UpgradeInput.NodeInspected(node("3100")));
    }

    @Test
    void runBeforeAnythingIsChanged() {
        assertThat(checkedBefore()).isEqualTo(new UpgradeAction.RunChecks(List.of(ALERTS, QUIET)));
        assertThat(worker.signal(HOLD)).isEqualTo(new UpgradeAction.SetGuards());
    }

    @Test
    void aFailedCheckDefersTheAttemptWithoutChanges() {
        checkedBefore();
        worker.signal(failing(QUIET, ALERTS));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Deferred("check alerts: it is 3"));
        assertThat(worker.isOver()).isTrue();
        assertThat(worker.actions)
                .noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.SetGuards
                        || upgradeAction instanceof UpgradeAction.CleanUp);
    }

    @Test
    void anAdvisoryCheckBlocksNothing() {
        checkedBefore();
        assertThat(worker.signal(failing(QUIET))).isEqualTo(new UpgradeAction.SetGuards());
    }

    @Test
    void runAgainAfterALongDrain() {
        checkedBefore();
        worker.signal(HOLD);
        worker.now = UpgradeTimeouts.CHECK_RESULTS_VALID + 1;
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null)))
                .isEqualTo(new UpgradeAction.RunChecks(List.of(ALERTS, QUIET)));
        assertThat(worker.signal(HOLD))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
    }

    @Test
    void aCheckThatFailsAfterADrainDefersTheAttempt() {
        checkedBefore();
        worker.signal(HOLD);
        worker.now = UpgradeTimeouts.CHECK_RESULTS_VALID + 1;
        worker.signal(new UpgradeInput.GuardsSet(null));
        assertThat(worker.signal(failing(ALERTS))).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Deferred("check alerts: it is 3"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void aCancelDuringTheChecksEndsTheAttempt() {
        checkedBefore();
        worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel()));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.signal(HOLD)).isEqualTo(UpgradeProcedureHarness.NOTHING);
    }

    @Test
    void confirmASuccessAfterTheNodesProof() {
        assertThat(proven()).isEqualTo(new UpgradeAction.RunChecks(List.of(APP, QUIET)));
        assertThat(worker.signal(HOLD)).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0"));
    }

    @Test
    void runAgainUntilTheyPass() {
        proven();
        assertThat(worker.signal(failing(APP))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        assertThat(worker.signal(new UpgradeInput.WaitElapsed()))
                .isEqualTo(new UpgradeAction.RunChecks(List.of(APP, QUIET)));
        worker.now += 29_000;
        assertThat(worker.signal(failing(APP))).isEqualTo(new UpgradeAction.Wait(WaitReason.PROOF));
        worker.signal(new UpgradeInput.WaitElapsed());
        assertThat(worker.signal(failing(QUIET))).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport()).isInstanceOf(AttemptReport.Succeeded.class);
    }

    @Test
    void aCheckThatFailsPastItsTimeoutFailsTheAttempt() {
        proven();
        worker.signal(failing(APP));
        worker.signal(new UpgradeInput.WaitElapsed());
        worker.now += 30_000;
        assertThat(worker.signal(failing(APP))).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE, FailureReason.CHECK_FAILED, "check app: it is 3"));
    }

    @Test
    void runAfterAnAttemptThatNeedsNoCall() {
        worker.begin(null);
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3100"))))
                .isEqualTo(new UpgradeAction.RunChecks(List.of(APP, QUIET)));
        worker.signal(HOLD);
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Succeeded(SuccessProof.UNCHANGED, "3100", "v1.33.0"));
        assertThat(worker.calls()).isZero();
    }

    @Test
    void runAgainAfterATakeover() {
        worker.begin(new AttemptReport.StepReached(AttemptStep.VERIFYING, "7"));
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3100"))))
                .isEqualTo(new UpgradeAction.RunChecks(List.of(APP, QUIET)));
    }

    @Test
    void doNotRunAgainAfterAShortDrain() {
        worker.now = 40_000;
        checkedBefore();
        worker.signal(HOLD);
        worker.now += UpgradeTimeouts.CHECK_RESULTS_VALID;
        assertThat(worker.signal(new UpgradeInput.GuardsSet(null)))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
    }
}
