package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.limits.FailureBudgetEstimator;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.OperatorOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failure budgets as a percentage, and with a confidence. */
class FailureBudgetTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private void begin(int workers, FailureBudget budget) {
        fleetScenario.cluster("a", 0, workers);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(workers)
                .budget(budget)
                .attempts(1)
                .build());
    }

    @ParameterizedTest
    @CsvSource({"10, 50, 5", "10, 15, 1", "10, 5, 1", "30, 10, 3"})
    void aPercentageIsOfTheCampaignsMachinesAndAtLeastOne(int machines, int percent, int atOnce) {
        begin(machines, FailureBudget.strict(new CountOrPercent.Percent(percent)));
        assertThat(fleetScenario.inFlight()).hasSize(atOnce);
        assertThat(fleetScenario.closed("a-w-" + (machines - 1))).containsExactly(GateLabel.FAILURE_BUDGET);
    }

    @Test
    void usedUpBudgetWaitsForAPersonAndOneInFlightDoesNot() {
        begin(10, FailureBudget.strict(new CountOrPercent.Count(2)));
        assertThat(fleetScenario.explain("a-w-9").closedGates())
                .singleElement()
                .satisfies(gate -> assertThat(gate.needsPerson()).isFalse());
        fleetScenario.fail(fleetScenario.inFlight().get(0));
        fleetScenario.fail(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.explain("a-w-9").closedGates())
                .singleElement()
                .satisfies(gate -> assertThat(gate.needsPerson()).isTrue());
    }

    @Test
    void aBudgetWithConfidenceIsStrictUntilTheSampleIsLargeEnough() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 95, 10));
        for (int i = 0; i < 10; i++) {
            assertThat(fleetScenario.inFlight()).hasSize(5);
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        assertThat(fleetScenario.inFlight()).hasSizeBetween(15, 35);
        assertThat(fleetScenario.explain("a-w-99").nextStep())
                .contains("at a confidence of 95%")
                .contains("budget is 5");
    }

    @Test
    void failuresLowerTheNumberInFlight() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 95, 10));
        for (int i = 0; i < 30; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        int sure = fleetScenario.inFlight().size();
        for (int i = 0; i < 3; i++) {
            fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        }
        for (int i = 0; i < sure - 6; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        assertThat(fleetScenario.inFlight()).hasSizeLessThan(sure);
    }

    @Test
    void aBreachedBudgetPausesTheCampaignWithAReason() {
        breach();
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(fleetScenario.campaignStatus("up").pauseReason())
                .isEqualTo("6 machines have failed, and the failure budget is 5");
        assertThat(fleetScenario.events()).containsOnlyOnce(DecisionEvent.CAMPAIGN_PAUSED);
    }

    /** Twenty machines succeed, so that more than five are in flight at once, and then all fail. */
    private void breach() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 90, 10));
        for (int i = 0; i < 20; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        for (int i = 0; i < 6; i++) {
            fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        }
    }

    @Test
    void aBreachedCampaignResumesOnlyWithAHigherBudget() {
        breach();
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(fleetScenario.events()).contains(DecisionEvent.REJECTED);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(100)
                .budget(FailureBudget.of(50))
                .attempts(1)
                .build());
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void aHalfUpgradedControlPlaneIsFinishedBeforeThePause() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.cluster("b", 0, 20);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(20)
                .budget(FailureBudget.of(8))
                .attempts(1)
                .build());
        List<String> workers = fleetScenario.inFlight().stream()
                .filter(name -> name.startsWith("b"))
                .limit(3)
                .toList();
        workers.forEach(fleetScenario::quarantine);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(20)
                .budget(FailureBudget.of(2))
                .attempts(1)
                .build());
        for (int left = 3; left > 0; left--) {
            assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
            fleetScenario.succeed(fleetScenario.inFlight().stream()
                    .filter(name -> name.startsWith("a-cp"))
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    /** Wilson's interval with half a failure of ten machines as a prior, computed independently. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 95, 0.2847",
        "0, 20, 95, 0.1110",
        "1, 20, 95, 0.1601",
        "10, 100, 95, 0.1517",
        "0, 1000, 99, 0.0063",
        "500, 1000, 50, 0.4955",
    })
    void theRiskIsNeverBelowTheUpperEndOfTheInterval(long failed, long ended, int confidence, double upper) {
        double risk = FailureBudgetEstimator.expectedFailures(1_000_000, failed, ended, confidence) / 1e6;
        assertThat(risk).isCloseTo(upper, within(0.0015));
    }

    @Test
    void theRiskGrowsWithFailuresAndConfidenceAndShrinksWithTheSample() {
        for (int confidence = 51; confidence < 100; confidence++) {
            assertThat(FailureBudgetEstimator.expectedFailures(1_000_000, 3, 50, confidence))
                    .isGreaterThan(FailureBudgetEstimator.expectedFailures(1_000_000, 3, 50, confidence - 1));
        }
        assertThat(FailureBudgetEstimator.expectedFailures(1_000_000, 4, 50, 95))
                .isGreaterThan(FailureBudgetEstimator.expectedFailures(1_000_000, 3, 50, 95));
        assertThat(FailureBudgetEstimator.expectedFailures(1_000_000, 3, 51, 95))
                .isLessThan(FailureBudgetEstimator.expectedFailures(1_000_000, 3, 50, 95));
        assertThat(FailureBudgetEstimator.expectedFailures(1_000, 1_000_000, 1_000_000, 99))
                .isEqualTo(1_000);
    }

    /** The machines that failed, and the failures expected of those in flight and this one. */
    @Test
    void explainsTheExpectedFailuresAtAConfidence() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 90, 10));
        for (int i = 0; i < 18; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        long risked =
                FailureBudgetEstimator.expectedFailures(fleetScenario.inFlight().size() + 1, 2, 20, 90);
        assertThat(fleetScenario.explain("a-w-99").nextStep())
                .isEqualTo(
                        "The failure budget is 5: 2 of 20 machines failed. With the machines in flight and this start, "
                                + (2 + risked) + " may fail at a confidence of 90%.");
    }

    /** The first member of a control plane puts all of it at risk, whatever the confidence. */
    @Test
    void aControlPlaneIsAtRiskAsAWholeAtAConfidence() {
        begin(100, new FailureBudget(new CountOrPercent.Count(4), 90, 10));
        for (int i = 0; i < 20; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        int flying = fleetScenario.inFlight().size();
        fleetScenario.cluster("b", 3, 0);
        long risked = FailureBudgetEstimator.expectedFailures(flying, 0, 20, 90);
        assertThat(risked + 3).isGreaterThan(4);
        assertThat(fleetScenario.explain("b-cp-0").closedGates())
                .filteredOn(closedGate -> closedGate.gate() == GateLabel.FAILURE_BUDGET)
                .singleElement()
                .satisfies(closedGate -> assertThat(closedGate.actual()).isEqualTo(String.valueOf(3 + risked)));
    }

    /** Its first member is upgraded: the other two are reserved, and another start adds to them. */
    @Test
    void reservationsOfAControlPlaneCountAtAConfidence() {
        fleetScenario.cluster("b", 3, 0);
        begin(100, new FailureBudget(new CountOrPercent.Count(6), 90, 10));
        for (int i = 0; i < 20; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().stream()
                    .filter(name -> name.startsWith("a"))
                    .findFirst()
                    .orElseThrow());
        }
        fleetScenario.succeed("b-cp-0");
        fleetScenario.report("b-cp-1", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        fleetScenario.report("b-cp-2", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        int flying = fleetScenario.inFlight().size();
        assertThat(fleetScenario.inFlight()).allMatch(name -> name.startsWith("a"));
        long risked = FailureBudgetEstimator.expectedFailures(flying + 1, 0, 21, 90);
        assertThat(fleetScenario.explain("a-w-99").closedGates())
                .filteredOn(closedGate -> closedGate.gate() == GateLabel.FAILURE_BUDGET)
                .singleElement()
                .satisfies(closedGate -> assertThat(closedGate.actual()).isEqualTo(String.valueOf(2 + risked)));
    }
}
