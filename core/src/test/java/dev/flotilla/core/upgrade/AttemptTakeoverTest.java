package dev.flotilla.core.upgrade;

import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineRole;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a worker continues an attempt from its last report and its current command. */
class AttemptTakeoverTest {
    private static UpgradeInput shows(@Nullable String revision, @Nullable String version, boolean ready) {
        return new UpgradeInput.NodeInspected(new NodeInspection.ObservedNode(revision, version, ready, false));
    }

    @Test
    void knowsWhichAttemptItIs() {
        assertThat(new UpgradeProcedure(UpgradeProcedureHarness.cancel(), UpgradeSafeguards.ALL).attemptId())
                .isEqualTo(UpgradeProcedureHarness.ATTEMPT);
    }

    @Test
    void aCancelledCommandEndsItBeforeTheInspection() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(UpgradeProcedureHarness.cancel());
        worker.begin(null);
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.isOver()).isTrue();
    }

    @Test
    void anExpiredLeaseEndsItBeforeTheInspection() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.now = UpgradeProcedureHarness.LEASE_EXPIRY - UpgradeTimeouts.CLOCK_MARGIN;
        worker.begin(null);
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.LeaseExpired());
    }

    @Test
    void inspectsTheNodeRightBeforeItsLeaseExpires() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.now = UpgradeProcedureHarness.LEASE_EXPIRY - UpgradeTimeouts.CLOCK_MARGIN - 1;
        assertThat(worker.begin(null)).isEqualTo(new UpgradeAction.InspectNode());
        worker.now++;
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.LeaseExpired());
    }

    @Test
    void aLeaseThatExpiresWhileConnectingEndsIt() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.now = UpgradeProcedureHarness.LEASE_EXPIRY;
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.LeaseExpired());
        assertThat(worker.actions).noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.SetGuards);
    }

    @Test
    void aMissingMachineIsDeferred() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(new NodeInspection.MachineGone()));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Deferred("no such machine"));
    }

    @Test
    void aNodeAtItsTargetThatIsNotReadyHasNotSucceeded() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        assertThat(worker.signal(shows("3100", "v1.33.0", false))).isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    /** Before the guards nothing was changed on the machine, so there is nothing to clean up. */
    @Test
    void cleansUpNothingWithoutGuards() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(new AttemptReport.StepReached(AttemptStep.PREFLIGHT, null));
        worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel()));
        assertThat(worker.lastReport()).isEqualTo(new AttemptReport.Cancelled());
        assertThat(worker.actions).noneMatch(upgradeAction -> upgradeAction instanceof UpgradeAction.CleanUp);
    }

    @ParameterizedTest
    @EnumSource(
            value = AttemptStep.class,
            names = {"REFRESHING", "API_UNREACHABLE"})
    void pollsAChangeWithoutAnId(AttemptStep step) {
        assertThat(new UpgradeProcedureHarness().begin(new AttemptReport.StepReached(step, null)))
                .isEqualTo(new UpgradeAction.PollChange(""));
    }

    @ParameterizedTest
    @EnumSource(
            value = AttemptStep.class,
            names = {"VERIFYING", "UNCORDONING"})
    void aDoneChangeIsProvenByTheNode(AttemptStep step) {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        assertThat(worker.begin(new AttemptReport.StepReached(step, "7"))).isEqualTo(new UpgradeAction.InspectNode());
        worker.signal(shows("3100", "v1.33.0", true));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3100", "v1.33.0"));
    }

    @Test
    void aSessionThatEndsBeforeThePreconditionsDefersTheAttempt() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        worker.signal(new UpgradeInput.GuardsSet(null));
        worker.commitReport();
        assertThat(worker.signal(new UpgradeInput.SessionEnded())).isEqualTo(new UpgradeAction.CleanUp());
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Deferred("the call permit was lost before the call"));
    }

    @Test
    void aSessionThatEndsWithoutAPermitChangesNothing() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        assertThat(worker.signal(new UpgradeInput.SessionEnded())).isSameAs(UpgradeProcedureHarness.NOTHING);
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    @Test
    void aHandOverWithoutAPermitReturnsNothing() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness();
        worker.begin(null);
        assertThat(worker.signal(new UpgradeInput.HandingOver())).isSameAs(UpgradeProcedureHarness.NOTHING);
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    @Test
    void aCancelledCommandIsJudgedByItsChangeOnly() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(UpgradeProcedureHarness.cancel());
        worker.begin(new AttemptReport.StepReached(AttemptStep.REFRESHING, "7"));
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(shows("3100", "v1.33.0", true));
        worker.now = UpgradeTimeouts.TARGET + 1;
        worker.signal(shows("3100", null, true));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.NOT_AT_TARGET,
                        "change 7 is done, the node shows revision 3100"));
    }

    @Test
    void aMemberWithoutARevisionOrChangeIsAskedWithoutAChange() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(UpgradeProcedureHarness.command(
                MachineRole.CONTROL_PLANE, UpgradeProcedureHarness.TARGET, "1.33.0", null));
        worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        assertThat(worker.signal(shows(null, "v1.33.0", true))).isEqualTo(new UpgradeAction.PollChange("0"));
    }
}
