package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Step;
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

    private static Wave wave(String name, Wave.Approval approval, Duration soak) {
        Selector clusters = name.equals("canary") ? CampaignBuilder.where("ring", "canary") : Selector.ALL;
        return new Wave(name, List.of(), clusters, null, approval, 50, soak);
    }

    private void begin(Wave.Approval approval, Duration soak) {
        scene.cluster(Scene.SITE, "a", 0, 2, CANARY);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(wave("canary", approval, soak))
                .wave(wave("rest", Wave.Approval.NONE, Duration.ZERO))
                .build());
    }

    private void approve(String wave) {
        scene.order(new OrderKey.Approve(UP, wave), Order.Verb.APPROVE);
    }

    @Test
    void theNextWaveWaitsUntilTheOneBeforeHasSoaked() {
        begin(Wave.Approval.NONE, SOAK);
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
        begin(Wave.Approval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofMinutes(10));
        scene.order(new OrderKey.State(UP), Order.Verb.PAUSE);
        scene.pass(Duration.ofHours(8));
        scene.order(new OrderKey.State(UP), Order.Verb.RUN);
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(SOAK.minusMillis(1));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("b-w-0").next()).contains("at " + scene.now.plusMillis(1));
        scene.pass(Duration.ofMillis(1));
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void aLaterSuccessBeginsTheSoakAnewAndAFailureDoesNot() {
        begin(Wave.Approval.NONE, SOAK);
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
        begin(Wave.Approval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        assertThat(scene.state.nextTimer()).isEqualTo(scene.now.plus(SOAK).toEpochMilli());
        scene.pass(SOAK);
        assertThat(scene.state.nextTimer()).isGreaterThan(scene.now.toEpochMilli());
    }

    @Test
    void aFailoverNeitherEndsNorRestartsTheSoak() {
        begin(Wave.Approval.NONE, SOAK);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofMinutes(10));
        FleetState restored = new FleetState();
        for (Fact fact : scene.rows.values()) {
            restored.put(fact);
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
        begin(Wave.Approval.AFTER, Duration.ZERO);
        scene.waited(() -> {
            scene.succeed("a-w-0");
            approve("canary");
        });
        assertThat(scene.inFlight()).containsExactly("a-w-1", "b-w-0");
    }

    @Test
    void anApprovalAfterAWaveIsTakenWhenThereIsSomethingToLookAt() {
        begin(Wave.Approval.AFTER, Duration.ZERO);
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
        begin(Wave.Approval.AFTER, SOAK);
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
                .wave(wave("all", Wave.Approval.AFTER, SOAK))
                .build());
        scene.succeed("b-w-0");
        scene.pass(SOAK);
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.RUNNING);
        approve("all");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
    }

    @Test
    void whatSelectsNobodyNeitherSoaksNorAsksForAnApproval() {
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(wave("canary", Wave.Approval.AFTER, SOAK))
                .wave(wave("rest", Wave.Approval.NONE, Duration.ZERO))
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
        assertThat(before.lastSuccess()).isEqualTo(scene.now);
        assertThat(after.opened()).isEqualTo(before.opened());
        assertThat(after.lastSuccess()).isEqualTo(before.lastSuccess());
        assertThat(after.durations()).isEqualTo(before.durations());
        assertThat(after.bound()).isNotNull().isGreaterThan(before.bound());
    }

    @Test
    void noWaveOpensOrClosesWhileTheCampaignIsPaused() {
        begin(Wave.Approval.NONE, Duration.ZERO);
        scene.step("a-w-0", Step.REFRESHING);
        scene.step("a-w-1", Step.REFRESHING);
        scene.order(new OrderKey.State(UP), Order.Verb.PAUSE);
        int before = scene.decisions.size();
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofHours(1));
        assertThat(scene.events().subList(before, scene.events().size()))
                .contains(Event.ATTEMPT_SUCCEEDED)
                .doesNotContain(Event.WAVE_OPENED, Event.WAVE_CLOSED);
        scene.order(new OrderKey.State(UP), Order.Verb.RUN);
        assertThat(scene.events().subList(before, scene.events().size()))
                .containsSubsequence(Event.CAMPAIGN_RESUMED, Event.WAVE_CLOSED, Event.WAVE_OPENED);
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    private static Campaign share(int machines) {
        Wave canary =
                new Wave("canary", List.of(), Selector.ALL, new Limit.Count(machines), Wave.Approval.NONE, 100, SOAK);
        return CampaignBuilder.named("up")
                .wave(canary)
                .wave(wave("rest", Wave.Approval.NONE, Duration.ZERO))
                .build();
    }

    private WaveStatus canary() {
        return (WaveStatus)
                Optional.ofNullable(scene.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, "canary"))))
                        .orElseThrow();
    }
}
