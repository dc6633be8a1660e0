package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.flotilla.core.fleet.FailureRisk;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.CampaignState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failure budgets by share, and at a confidence. */
class BudgetTest {
    private final Scene scene = Scene.open();

    private void begin(int workers, FailureBudget budget) {
        scene.cluster("a", 0, workers);
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(workers)
                .budget(budget)
                .attempts(1)
                .build());
    }

    @ParameterizedTest
    @CsvSource({"10, 50, 5", "10, 15, 1", "10, 5, 1", "30, 10, 3"})
    void aShareIsOfTheCampaignsMachinesAndOneAtLeast(int machines, int percent, int atOnce) {
        begin(machines, FailureBudget.strict(new CountOrPercent.Percent(percent)));
        assertThat(scene.inFlight()).hasSize(atOnce);
        assertThat(scene.closed("a-w-" + (machines - 1))).containsExactly(GateLabel.BUDGET);
    }

    @Test
    void atAConfidenceItIsStrictUntilEnoughHaveEndedAndThenTrustsWhatItSaw() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 95, 10));
        for (int i = 0; i < 10; i++) {
            assertThat(scene.inFlight()).hasSize(5);
            scene.succeed(scene.inFlight().get(0));
        }
        assertThat(scene.inFlight()).hasSizeBetween(15, 35);
        assertThat(scene.explain("a-w-99").next())
                .contains("at a confidence of 95%")
                .contains("budget is 5");
    }

    @Test
    void failuresMakeItCautiousAgain() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 95, 10));
        for (int i = 0; i < 30; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        int sure = scene.inFlight().size();
        for (int i = 0; i < 3; i++) {
            scene.failForGood(scene.inFlight().get(0));
        }
        for (int i = 0; i < sure - 6; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        assertThat(scene.inFlight()).hasSizeLessThan(sure);
    }

    @Test
    void whenMoreHaveFailedThanItBearsTheCampaignPausesAndSaysWhy() {
        breach();
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(scene.campaignStatus("up").pauseReason())
                .isEqualTo("6 machines have failed, and the failure budget is 5");
        assertThat(scene.events()).containsOnlyOnce(Event.CAMPAIGN_PAUSED);
    }

    /** Twenty succeed, so that more than five are in flight at once, and then all fail. */
    private void breach() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 90, 10));
        for (int i = 0; i < 20; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        for (int i = 0; i < 6; i++) {
            scene.failForGood(scene.inFlight().get(0));
        }
    }

    @Test
    void aBreachedCampaignIsResumedOnlyWhenItsBudgetIsRaised() {
        breach();
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(scene.events()).contains(Event.REJECTED);
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(100)
                .budget(FailureBudget.of(50))
                .attempts(1)
                .build());
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.RUN);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void aControlPlaneThatIsHalfDoneIsBroughtToItsEndBeforeTheCampaignPauses() {
        scene.cluster("a", 3, 0);
        scene.cluster("b", 0, 20);
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(20)
                .budget(FailureBudget.of(8))
                .attempts(1)
                .build());
        List<String> workers = scene.inFlight().stream()
                .filter(name -> name.startsWith("b"))
                .limit(3)
                .toList();
        workers.forEach(scene::failForGood);
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(20)
                .budget(FailureBudget.of(2))
                .attempts(1)
                .build());
        for (int left = 3; left > 0; left--) {
            assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
            scene.succeed(scene.inFlight().stream()
                    .filter(name -> name.startsWith("a-cp"))
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
    }

    /** Wilson's interval with half a failure of ten machines beforehand, reckoned elsewhere. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 95, 0.2847",
        "0, 20, 95, 0.1110",
        "1, 20, 95, 0.1601",
        "10, 100, 95, 0.1517",
        "0, 1000, 99, 0.0063",
        "500, 1000, 50, 0.4955",
    })
    void theRiskIsTheUpperEndOfTheIntervalAndNeverBelowIt(long failed, long ended, int confidence, double upper) {
        double risk = FailureRisk.of(1_000_000, failed, ended, confidence) / 1e6;
        assertThat(risk).isCloseTo(upper, within(0.0015));
    }

    @Test
    void theRiskGrowsWithFailuresAndConfidenceAndShrinksWithExperience() {
        for (int confidence = 51; confidence < 100; confidence++) {
            assertThat(FailureRisk.of(1_000_000, 3, 50, confidence))
                    .isGreaterThan(FailureRisk.of(1_000_000, 3, 50, confidence - 1));
        }
        assertThat(FailureRisk.of(1_000_000, 4, 50, 95)).isGreaterThan(FailureRisk.of(1_000_000, 3, 50, 95));
        assertThat(FailureRisk.of(1_000_000, 3, 51, 95)).isLessThan(FailureRisk.of(1_000_000, 3, 50, 95));
        assertThat(FailureRisk.of(1_000, 1_000_000, 1_000_000, 99)).isEqualTo(1_000);
    }

    /** What has failed, and as many of those in flight and this one as may be expected to fail. */
    @Test
    void atAConfidenceItSaysWhatIsAtStakeWithOneMore() {
        begin(100, new FailureBudget(new CountOrPercent.Count(5), 90, 10));
        for (int i = 0; i < 18; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        scene.failForGood(scene.inFlight().get(0));
        scene.failForGood(scene.inFlight().get(0));
        long risked = FailureRisk.of(scene.inFlight().size() + 1, 2, 20, 90);
        assertThat(scene.explain("a-w-99").next())
                .isEqualTo("2 of 20 machines have failed; with this start and what is in flight it may be "
                        + (2 + risked) + " at a confidence of 90%, and the failure budget is 5.");
    }

    /** All of a control plane is at stake with its first member, and none of it is left to chance. */
    @Test
    void atAConfidenceAControlPlaneIsAtStakeAsAWhole() {
        begin(100, new FailureBudget(new CountOrPercent.Count(4), 90, 10));
        for (int i = 0; i < 20; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        int flying = scene.inFlight().size();
        scene.cluster("b", 3, 0);
        long risked = FailureRisk.of(flying, 0, 20, 90);
        assertThat(risked + 3).isGreaterThan(4);
        assertThat(scene.explain("b-cp-0").closed())
                .filteredOn(closed -> closed.gate() == GateLabel.BUDGET)
                .singleElement()
                .satisfies(closed -> assertThat(closed.have()).isEqualTo(String.valueOf(3 + risked)));
    }

    /** Its first member is done: the other two are kept for it, and another start comes on top. */
    @Test
    void whatIsKeptForAHalfDoneControlPlaneIsAtStakeAtAConfidenceToo() {
        scene.cluster("b", 3, 0);
        begin(100, new FailureBudget(new CountOrPercent.Count(6), 90, 10));
        for (int i = 0; i < 20; i++) {
            scene.succeed(scene.inFlight().stream()
                    .filter(name -> name.startsWith("a"))
                    .findFirst()
                    .orElseThrow());
        }
        scene.succeed("b-cp-0");
        scene.report("b-cp-1", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        scene.report("b-cp-2", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        int flying = scene.inFlight().size();
        assertThat(scene.inFlight()).allMatch(name -> name.startsWith("a"));
        long risked = FailureRisk.of(flying + 1, 0, 21, 90);
        assertThat(scene.explain("a-w-99").closed())
                .filteredOn(closed -> closed.gate() == GateLabel.BUDGET)
                .singleElement()
                .satisfies(closed -> assertThat(closed.have()).isEqualTo(String.valueOf(2 + risked)));
    }
}
