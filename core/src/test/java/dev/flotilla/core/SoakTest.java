package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What lies between the last success of a wave and the beginning of the next: its soak, and a person's look at it. */
class SoakTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final Duration SOAK = Duration.ofMinutes(30);
    private static final Labels CANARY = CampaignBuilder.labels("ring", "canary");

    private final Scene scene = Scene.open();

    private static Wave wave(String name, Wave.WaveApproval approval, Duration soak) {
        LabelSelector clusters = name.equals("canary") ? CampaignBuilder.where("ring", "canary") : LabelSelector.ALL;
        return new Wave(name, List.of(), clusters, null, approval, 50, soak);
    }

    private void begin(Wave.WaveApproval approval, Duration soak) {
        scene.cluster(Scene.SITE, "a", 0, 2, CANARY);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(wave("canary", approval, soak))
                .wave(wave("rest", Wave.WaveApproval.NONE, Duration.ZERO))
                .build());
    }

    private void approve(String wave) {
        scene.order(new OperatorOrderKey.ApproveWave(UP, wave), OperatorOrder.OrderVerb.APPROVE);
    }

    @Test
    void theNextWaveWaitsUntilTheOneBeforeHasSoaked() {
        begin(Wave.WaveApproval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.pass(SOAK.minusMillis(1));
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.closed("b-w-0")).containsExactly(GateLabel.WAVE);
        assertThat(scene.explain("b-w-0").next()).contains("has soaked for PT30M");
        scene.pass(Duration.ofMillis(1));
        assertThat(scene.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void nothingSoaksWhileItsCampaignIsPaused() {
        begin(Wave.WaveApproval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofMinutes(10));
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        scene.pass(Duration.ofHours(8));
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(SOAK.minusMillis(1));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("b-w-0").next()).contains("at " + scene.now.plusMillis(1));
        scene.pass(Duration.ofMillis(1));
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void aLaterSuccessBeginsTheSoakAnewAndAFailureDoesNot() {
        begin(Wave.WaveApproval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.pass(Duration.ofMinutes(10));
        scene.succeed("a-w-1");
        scene.pass(Duration.ofMinutes(20));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMinutes(10));
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void theStateSaysWhenTheSoakIsOver() {
        begin(Wave.WaveApproval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        assertThat(scene.state.nextTimer()).isEqualTo(scene.now.plus(SOAK).toEpochMilli());
        scene.pass(SOAK);
        assertThat(scene.state.nextTimer()).isGreaterThan(scene.now.toEpochMilli());
    }

    @Test
    void aFailoverNeitherEndsNorRestartsTheSoak() {
        begin(Wave.WaveApproval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofMinutes(10));
        FleetState restored = new FleetState();
        for (RowChange rowChange : scene.rows.values()) {
            restored.put(rowChange);
        }
        Brain next = new Brain(FleetDecider.standard(), restored);
        List<Event> events = new ArrayList<>();
        next.take(new Input.TookOver(scene.now), Scene.MOST, decision -> events.add(decision.event()));
        next.due(scene.now.plus(Duration.ofMinutes(20)).minusMillis(1), Scene.MOST, d -> events.add(d.event()));
        assertThat(events).doesNotContain(Event.WAVE_CLOSED);
        next.due(scene.now.plus(Duration.ofMinutes(20)), Scene.MOST, d -> events.add(d.event()));
        assertThat(events).contains(Event.WAVE_CLOSED, Event.ATTEMPT_ADMITTED);
    }

    @Test
    void anApprovalThatWaitedForALeaderIsJudgedByWhatHadSucceeded() {
        begin(Wave.WaveApproval.AFTER, Duration.ZERO);
        scene.waited(() -> {
            scene.succeed("a-w-0");
            approve("canary");
        });
        assertThat(scene.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void anApprovalAfterAWaveIsTakenWhenThereIsSomethingToLookAt() {
        begin(Wave.WaveApproval.AFTER, Duration.ZERO);
        approve("canary");
        assertThat(scene.events()).endsWith(Event.REJECTED);
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.explain("b-w-0").next()).contains("approved of, by the order up/approve/canary");
        approve("canary");
        assertThat(scene.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void itMayBeApprovedOfWhileItSoaks() {
        begin(Wave.WaveApproval.AFTER, SOAK);
        scene.succeed("a-w-0");
        approve("canary");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        scene.pass(SOAK);
        assertThat(scene.inFlight()).contains("b-w-0");
    }

    @Test
    void aCampaignIsCompleteWhenItsLastWaveHasSoakedAndBeenLookedAt() {
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(wave("all", Wave.WaveApproval.AFTER, SOAK))
                .build());
        scene.succeed("b-w-0");
        scene.pass(SOAK);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        approve("all");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void whatSelectsNobodyNeitherSoaksNorAsksForAnApproval() {
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(wave("canary", Wave.WaveApproval.AFTER, SOAK))
                .wave(wave("rest", Wave.WaveApproval.NONE, Duration.ZERO))
                .build());
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void anEditOfWhatAWaveTakesForgetsNothingElseOfIt() {
        scene.cluster("a", 0, 1);
        scene.cluster("b", 0, 1);
        scene.campaign(share(1));
        String first = scene.inFlight().get(0);
        scene.succeed(first);
        WaveStatus before = canary();
        scene.campaign(share(2));
        WaveStatus after = canary();
        assertThat(before.lastSuccessAt()).isEqualTo(scene.now);
        assertThat(after.openedAt()).isEqualTo(before.openedAt());
        assertThat(after.lastSuccessAt()).isEqualTo(before.lastSuccessAt());
        assertThat(after.durations()).isEqualTo(before.durations());
        assertThat(after.sharePartsPerMillion()).isNotNull().isGreaterThan(before.sharePartsPerMillion());
    }

    @Test
    void noWaveOpensOrClosesWhileTheCampaignIsPaused() {
        begin(Wave.WaveApproval.NONE, Duration.ZERO);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        scene.step("a-w-1", AttemptStep.REFRESHING);
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        int before = scene.decisions.size();
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofHours(1));
        assertThat(scene.events().subList(before, scene.events().size()))
                .contains(Event.ATTEMPT_SUCCEEDED)
                .doesNotContain(Event.WAVE_OPENED, Event.WAVE_CLOSED);
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.RUN);
        assertThat(scene.events().subList(before, scene.events().size()))
                .containsSubsequence(Event.CAMPAIGN_RESUMED, Event.WAVE_CLOSED, Event.WAVE_OPENED);
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    private static Campaign share(int machines) {
        Wave canary =
                new Wave("canary", List.of(), LabelSelector.ALL, new CountOrPercent.Count(machines), Wave.WaveApproval.NONE, 100, SOAK);
        return CampaignBuilder.named("up")
                .wave(canary)
                .wave(wave("rest", Wave.WaveApproval.NONE, Duration.ZERO))
                .build();
    }

    private WaveStatus canary() {
        return (WaveStatus)
                Optional.ofNullable(scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "canary"))))
                        .orElseThrow();
    }
}
