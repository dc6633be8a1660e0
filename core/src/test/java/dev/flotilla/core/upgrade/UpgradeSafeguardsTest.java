package dev.flotilla.core.upgrade;

import static dev.flotilla.core.upgrade.UpgradeProcedureHarness.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptReport.SuccessProof;
import dev.flotilla.schemas.row.AttemptStep;
import org.junit.jupiter.api.Test;

/** What a worker does without one of its safeguards. */
class UpgradeSafeguardsTest {
    private static final UpgradeSafeguards CALLS_AGAIN = new UpgradeSafeguards() {
        @Override
        public boolean neverRepeatsUnknownCall() {
            return false;
        }
    };
    private static final UpgradeSafeguards BLIND = new UpgradeSafeguards() {
        @Override
        public boolean honoursPreconditions() {
            return false;
        }
    };
    private static final UpgradeSafeguards BELIEVES = new UpgradeSafeguards() {
        @Override
        public boolean requiresNodeProof() {
            return false;
        }
    };
    private static final UpgradeSafeguards DEAF = new UpgradeSafeguards() {
        @Override
        public boolean honoursCancel() {
            return false;
        }
    };

    @Test
    void withoutNeverRepeatsUnknownCallAnotherPermitIsWritten() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(CALLS_AGAIN);
        worker.runToCall();
        assertThat(worker.signal(new UpgradeInput.CallReturned(new CallResult.NoAnswer("connection reset"))))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
        assertThat(new UpgradeProcedureHarness(CALLS_AGAIN)
                        .begin(new AttemptReport.StepReached(AttemptStep.STARTING, null)))
                .isEqualTo(new UpgradeAction.InspectNode());
    }

    @Test
    void withoutNeverRepeatsUnknownCallATakenOverPermitIsUsedAgain() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(CALLS_AGAIN);
        worker.begin(new AttemptReport.StepReached(AttemptStep.STARTING, null));
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }

    @Test
    void withoutHonoursPreconditionsAForbiddenCallIsMade() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(BLIND);
        worker.begin(null);
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(UpgradeProcedureHarness.REACHED);
        assertThat(worker.signal(new UpgradeInput.GuardsSet("on hold")))
                .isEqualTo(new UpgradeAction.WriteReport(new AttemptReport.StepReached(AttemptStep.STARTING, null)));
        worker.commitReport();
        assertThat(worker.signal(new UpgradeInput.PreconditionsChecked("2 other workers are away")))
                .isInstanceOf(UpgradeAction.CallUpgrade.class);
    }

    @Test
    void withoutRequiresNodeProofADoneChangeIsASuccess() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(BELIEVES);
        worker.runToChange();
        worker.signal(new UpgradeInput.ChangePolled(new ChangeStatus.ChangeDone()));
        worker.signal(new UpgradeInput.NodeInspected(node("3000")));
        worker.signal(new UpgradeInput.CleanedUp());
        assertThat(worker.lastReport())
                .isEqualTo(new AttemptReport.Succeeded(SuccessProof.UPGRADED, "3000", "v1.33.0"));
    }

    @Test
    void withoutHonoursCancelTheAttemptContinues() {
        UpgradeProcedureHarness worker = new UpgradeProcedureHarness(DEAF);
        worker.begin(null);
        assertThat(worker.signal(new UpgradeInput.CommandChanged(UpgradeProcedureHarness.cancel())))
                .isSameAs(UpgradeProcedureHarness.NOTHING);
        assertThat(worker.signal(new UpgradeInput.NodeInspected(node("3000"))))
                .isEqualTo(new UpgradeAction.ConnectToProvider());
    }
}
