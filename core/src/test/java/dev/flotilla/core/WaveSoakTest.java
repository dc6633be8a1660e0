package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The time between the last success of a wave and the start of the next: its soak and its approval. */
class WaveSoakTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final Duration SOAK = Duration.ofMinutes(30);
    private static final Labels CANARY = CampaignBuilder.labels("ring", "canary");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private static Wave wave(String name, Wave.WaveApproval approval, Duration soak) {
        LabelSelector clusters = name.equals("canary") ? CampaignBuilder.where("ring", "canary") : LabelSelector.ALL;
        return new Wave(name, List.of(), clusters, null, approval, 50, soak);
    }

    private void begin(Wave.WaveApproval approval, Duration soak) {
        fleetScenario.cluster(FleetScenario.SITE, "a", 0, 2, CANARY);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(wave("canary", approval, soak))
                .wave(wave("rest", Wave.WaveApproval.NONE, Duration.ZERO))
                .build());
    }

    private void approve(String wave) {
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, wave), OperatorOrder.OrderVerb.APPROVE);
    }

    @Test
    void aWaveWaitsForTheSoakOfThePreviousWave() {
        begin(Wave.WaveApproval.NONE, SOAK);
        fleetScenario.succeed("a-w-0");
        fleetScenario.advance(SOAK.minusMillis(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.closed("b-w-0")).containsExactly(GateLabel.WAVE);
        assertThat(fleetScenario.explain("b-w-0").nextStep()).contains("has soaked for PT30M");
        fleetScenario.advance(Duration.ofMillis(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void aPausedCampaignDoesNotSoak() {
        begin(Wave.WaveApproval.NONE, SOAK);
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        fleetScenario.advance(Duration.ofMinutes(10));
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.advance(Duration.ofHours(8));
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(SOAK.minusMillis(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("b-w-0").nextStep()).contains("at " + fleetScenario.now.plusMillis(1));
        fleetScenario.advance(Duration.ofMillis(1));
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void aLaterSuccessRestartsTheSoakAndAFailureDoesNot() {
        begin(Wave.WaveApproval.NONE, SOAK);
        fleetScenario.succeed("a-w-0");
        fleetScenario.advance(Duration.ofMinutes(10));
        fleetScenario.succeed("a-w-1");
        fleetScenario.advance(Duration.ofMinutes(20));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMinutes(10));
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void theStateKnowsWhenTheSoakEnds() {
        begin(Wave.WaveApproval.NONE, SOAK);
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.state.dueWork().nextTimerAt())
                .isEqualTo(fleetScenario.now.plus(SOAK).toEpochMilli());
        fleetScenario.advance(SOAK);
        assertThat(fleetScenario.state.dueWork().nextTimerAt()).isGreaterThan(fleetScenario.now.toEpochMilli());
    }

    @Test
    void aFailoverNeitherEndsNorRestartsTheSoak() {
        begin(Wave.WaveApproval.NONE, SOAK);
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        fleetScenario.advance(Duration.ofMinutes(10));
        FleetState restored = new FleetState();
        for (RowChange rowChange : fleetScenario.rows.values()) {
            restored.put(rowChange);
        }
        DecisionEngine next = new DecisionEngine(FleetDecider.standard(), restored);
        List<DecisionEvent> events = new ArrayList<>();
        next.processInput(
                new DecisionInput.LeaderElected(fleetScenario.now),
                FleetScenario.MOST,
                decision -> events.add(decision.event()));
        next.decideDueWork(
                fleetScenario.now.plus(Duration.ofMinutes(20)).minusMillis(1),
                FleetScenario.MOST,
                d -> events.add(d.event()));
        assertThat(events).doesNotContain(DecisionEvent.WAVE_CLOSED);
        next.decideDueWork(
                fleetScenario.now.plus(Duration.ofMinutes(20)), FleetScenario.MOST, d -> events.add(d.event()));
        assertThat(events).contains(DecisionEvent.WAVE_CLOSED, DecisionEvent.ATTEMPT_ADMITTED);
    }

    @Test
    void anApprovalThatWaitedForALeaderSeesTheSuccesses() {
        begin(Wave.WaveApproval.AFTER, Duration.ZERO);
        fleetScenario.receiveWithoutLeader(() -> {
            fleetScenario.succeed("a-w-0");
            approve("canary");
        });
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void acceptsAnApprovalAfterAWaveOnceItHasSucceeded() {
        begin(Wave.WaveApproval.AFTER, Duration.ZERO);
        approve("canary");
        assertThat(fleetScenario.events()).endsWith(DecisionEvent.REJECTED);
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.explain("b-w-0").nextStep())
                .contains("is approved: run flotilla campaign approve up canary");
        approve("canary");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void acceptsAnApprovalDuringTheSoak() {
        begin(Wave.WaveApproval.AFTER, SOAK);
        fleetScenario.succeed("a-w-0");
        approve("canary");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        fleetScenario.advance(SOAK);
        assertThat(fleetScenario.inFlight()).contains("b-w-0");
    }

    @Test
    void completesWhenItsLastWaveHasSoakedAndIsApproved() {
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(wave("all", Wave.WaveApproval.AFTER, SOAK))
                .build());
        fleetScenario.succeed("b-w-0");
        fleetScenario.advance(SOAK);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        approve("all");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void anEmptyWaveNeedsNoSoakAndNoApproval() {
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(wave("canary", Wave.WaveApproval.AFTER, SOAK))
                .wave(wave("rest", Wave.WaveApproval.NONE, Duration.ZERO))
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void anEditOfTheSizeKeepsTheRestOfTheWave() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(share(1));
        String first = fleetScenario.inFlight().get(0);
        fleetScenario.succeed(first);
        WaveStatus before = canary();
        fleetScenario.campaign(share(2));
        WaveStatus after = canary();
        assertThat(before.lastSuccessAt()).isEqualTo(fleetScenario.now);
        assertThat(after.openedAt()).isEqualTo(before.openedAt());
        assertThat(after.lastSuccessAt()).isEqualTo(before.lastSuccessAt());
        assertThat(after.durations()).isEqualTo(before.durations());
        assertThat(after.sharePartsPerMillion()).isNotNull().isGreaterThan(before.sharePartsPerMillion());
    }

    @Test
    void noWaveOpensOrClosesDuringAPause() {
        begin(Wave.WaveApproval.NONE, Duration.ZERO);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        fleetScenario.step("a-w-1", AttemptStep.REFRESHING);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        int before = fleetScenario.decisions.size();
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.events().subList(before, fleetScenario.events().size()))
                .contains(DecisionEvent.ATTEMPT_SUCCEEDED)
                .doesNotContain(DecisionEvent.WAVE_OPENED, DecisionEvent.WAVE_CLOSED);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(fleetScenario.events().subList(before, fleetScenario.events().size()))
                .containsSubsequence(
                        DecisionEvent.CAMPAIGN_RESUMED, DecisionEvent.WAVE_CLOSED, DecisionEvent.WAVE_OPENED);
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    private static Campaign share(int machines) {
        Wave canary = new Wave(
                "canary",
                List.of(),
                LabelSelector.ALL,
                new CountOrPercent.Count(machines),
                Wave.WaveApproval.NONE,
                100,
                SOAK);
        return CampaignBuilder.named("up")
                .wave(canary)
                .wave(wave("rest", Wave.WaveApproval.NONE, Duration.ZERO))
                .build();
    }

    private WaveStatus canary() {
        return (WaveStatus) Optional.ofNullable(
                        fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "canary"))))
                .orElseThrow();
    }
}
