package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker still says of an attempt that was renewed, skipped or forgotten meanwhile. */
class LateWordsTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @BeforeEach
    void oneWorkerStarts() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    private void skip() {
        scene.order(new OrderKey.Skip(UP, Scene.machine("c-w-0")), Order.Verb.SKIP);
    }

    private AttemptState.Running running() {
        return (AttemptState.Running) scene.attempt("c-w-0").state();
    }

    @Test
    void anAttemptThatHasNotCalledIsRenewedWhereItIs() {
        scene.step("c-w-0", Step.GUARDING);
        scene.pass(Licence.LENGTH.minus(Licence.RENEW_BEFORE));
        assertThat(running()).isEqualTo(new AttemptState.Running(Step.GUARDING, null, scene.now.plus(Licence.LENGTH)));
        scene.step("c-w-0", Step.DRAINING);
        assertThat(running().deadline()).as("a further step is no renewal").isEqualTo(scene.now.plus(Licence.LENGTH));
        assertThat(running().step()).isEqualTo(Step.DRAINING);
    }

    @Test
    void onceMoreTheSameStepIsNewsOnlyWithTheChangeItHasBegun() {
        scene.report("c-w-0", new Report.Stepped(Step.REFRESHING, null));
        int before = scene.decisions.size();
        scene.report("c-w-0", new Report.Stepped(Step.REFRESHING, null));
        assertThat(scene.decisions).hasSize(before);
        scene.report("c-w-0", new Report.Stepped(Step.REFRESHING, "42"));
        assertThat(running().changeId()).isEqualTo("42");
        scene.report("c-w-0", new Report.Stepped(Step.REFRESHING, null));
        assertThat(running().changeId()).isEqualTo("42");
    }

    @Test
    void ofAnUnknownOutcomeAStepBeforeTheCallSaysNothing() {
        scene.report("c-w-0", new Report.OutcomeUnknown("crashed"));
        AttemptState unknown = scene.attempt("c-w-0").state();
        scene.step("c-w-0", Step.GUARDING);
        scene.pass(Duration.ofMinutes(1));
        scene.report("c-w-0", new Report.OutcomeUnknown("crashed again"));
        assertThat(scene.attempt("c-w-0").state()).isEqualTo(unknown);
    }

    @Test
    void aMachineThatWasSkippedAtWorkStaysSkippedHoweverItEnds() {
        skip();
        scene.fail("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(Outcome.SKIPPED);
        assertThat(scene.entry("c-w-0").failedAttempts()).isEqualTo(1);
        assertThat(scene.entry("c-w-0").retryAt()).isNull();
        assertThat(scene.events()).contains(Event.ATTEMPT_FAILED).doesNotContain(Event.MACHINE_QUARANTINED);
    }

    @Test
    void aMachineThatWasSkippedAtWorkAndNotStartedIsNotTriedLater() {
        skip();
        scene.report("c-w-0", new Report.NotNow("on hold"));
        assertThat(scene.outcome("c-w-0")).isEqualTo(Outcome.SKIPPED);
        assertThat(scene.entry("c-w-0").deferral()).isNull();
        assertThat(scene.entry("c-w-0").retryAt()).isNull();
    }

    @Test
    void aMachineThatWasSkippedForGoodAtWorkIsNotQuarantined() {
        skip();
        scene.failForGood("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(Outcome.SKIPPED);
    }

    @Test
    void whatHasSucceededIsNotSkippedAnyMore() {
        scene.cluster("d", 0, 1);
        scene.succeed("c-w-0");
        skip();
        assertThat(scene.outcome("c-w-0")).isEqualTo(Outcome.SUCCEEDED);
        assertThat(scene.events()).last().isEqualTo(Event.MACHINE_SKIPPED);
    }

    @Test
    void whatIsNotThereIsNotSkipped() {
        scene.order(new OrderKey.Skip(UP, Scene.machine("nobody")), Order.Verb.SKIP);
        assertThat(scene.refusal().problem()).isEqualTo("there is no machine north/default/nobody");
        scene.poison("flotilla.inventory.north", "machine/default/unreadable");
        scene.order(new OrderKey.Skip(UP, Scene.machine("unreadable")), Order.Verb.SKIP);
        assertThat(scene.rejected())
                .anyMatch(row -> row.problem().equals("there is no machine north/default/unreadable"));
    }

    @Test
    void aWordOfAMachineThatNobodyKnowsOrThatHasNoAttemptLeavesNoTrace() {
        long number = scene.attempt("c-w-0").number();
        scene.succeed("c-w-0");
        int before = scene.decisions.size();
        for (String name : new String[] {"nobody", "c-w-0"}) {
            scene.arrive(
                    new Progress(Scene.machine(name), Scene.uidOf(name), number, new Report.Cancelled(), scene.now));
        }
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void aMachineThatFailedAndOptedOutBeforeItWasDeletedIsForgotten() {
        scene.fail("c-w-0");
        scene.arrive(
                MachineBuilder.like(scene.row("c-w-0")).optedOut().deleting().build());
        scene.arrive(new Gone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.status("c-w-0")).isNull();
        assertThat(scene.state.machine(Scene.machine("c-w-0"))).isNull();
    }

    @Test
    void aMachineThatFailedAndOptedOutBeforeAnotherTookItsNameIsNoFailureAnyMore() {
        scene.cluster("d", 0, 1);
        scene.failForGood("c-w-0");
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).optedOut().build());
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.campaignStatus("up").failuresOfGone()).isZero();
    }

    @Test
    void whatFailedForACampaignThatIsOverIsNotKeptOfADeletedMachine() {
        scene.fail("c-w-0");
        scene.order(new OrderKey.State(UP), Order.Verb.ABORT);
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).deleting().build());
        int before = scene.decisions.size();
        scene.arrive(new Gone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.decisions.get(before).facts())
                .contains(new Gone(new RowKey(Table.STATUS, Scene.machine("c-w-0"))));
        assertThat(scene.state.machine(Scene.machine("c-w-0"))).isNull();
    }

    @Test
    void whatFailedForACampaignThatGoesOnIsKeptOfADeletedMachineWithItsReason() {
        scene.cluster("d", 0, 1);
        scene.fail("c-w-0");
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).deleting().build());
        scene.arrive(new Gone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.entry("c-w-0").failedAttempts()).isEqualTo(1);
        assertThat(scene.status("c-w-0").lastFailure().text()).isEqualTo("snap said no");
    }

    @Test
    void whatFailedForACampaignThatIsOverCountsThereNoMoreWhenAnotherTakesItsName() {
        scene.failForGood("c-w-0");
        scene.order(new OrderKey.State(UP), Order.Verb.ABORT);
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.campaignStatus("up").failuresOfGone()).isZero();
    }

    @Test
    void whatFailedForAnAnnotationCountsInNoCampaign() {
        scene.succeed("c-w-0");
        scene.ask(Scene.machine("c-w-0"), "revision=5");
        scene.failForGood("c-w-0");
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.campaignStatus("up").failuresOfGone()).isZero();
    }

    @Test
    void aRenewalThatWouldEndNoLaterIsNone() {
        scene.campaign(CampaignBuilder.named("up")
                .deadline(scene.now.plus(Licence.LENGTH))
                .build());
        scene.pass(Licence.LENGTH.minus(Licence.RENEW_BEFORE));
        assertThat(scene.events()).doesNotContain(Event.ATTEMPT_RENEWED);
        assertThat(((Command.UpgradeMachine) scene.command("c-w-0")).notAfter())
                .isEqualTo(Scene.START.plus(Licence.LENGTH));
    }

    @Test
    void ofADeletedMachineThatNeverFailedNothingIsKeptFromTheSameDecisionOn() {
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).deleting().build());
        int before = scene.decisions.size();
        scene.arrive(new Gone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ATTEMPT_VANISHED);
        assertThat(scene.decisions.get(before).facts())
                .contains(new Gone(new RowKey(Table.STATUS, Scene.machine("c-w-0"))));
    }

    @Test
    void aLeaderThatHasJustReadTheRowsRenewsWhatIsDueAtOnce() {
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        List<Decision> decided = new ArrayList<>();
        Instant due = scene.now.plus(Licence.LENGTH).minus(Licence.RENEW_BEFORE);
        new Brain(FleetDecider.standard(), restored).due(due, 1, decided::add);
        assertThat(decided).extracting(Decision::event).containsExactly(Event.ATTEMPT_RENEWED);
    }

    @Test
    void aCommandSaysWhatTheChannelHasTaughtForItsMachinesArchitecture() {
        scene.cluster("d", 0, 0);
        scene.arrive(
                MachineBuilder.of(Scene.SITE, "d", "arm").architecture("arm64").build());
        scene.arrive(MachineBuilder.of(Scene.SITE, "d", "amd").onHold().build());
        scene.succeed("c-w-0");
        scene.arrive(MachineBuilder.like(scene.row("amd")).build());
        assertThat(upgrade("amd").learnedRevision()).isEqualTo("3421");
        assertThat(upgrade("arm").learnedRevision()).isNull();
        scene.report("arm", new Report.NotNow("on hold"));
        scene.pass(Duration.ofMinutes(1));
        assertThat(upgrade("arm").learnedRevision()).isNull();
    }

    @Test
    void aCommandSaysHowManyWorkersOfItsClusterMayBeAway() {
        scene.cluster("d", 0, 4);
        scene.succeed("c-w-0");
        for (int i = 0; i < 4; i++) {
            scene.succeed("d-w-" + i);
        }
        scene.arrive(Scene.policy(Fleet.FLEET, null)
                .at(Policy.Calendar.NONE, new Policy.IntentRule(new Limit.Percent(50), RetryRule.DEFAULT)));
        scene.ask(Scene.machine("d-w-1"), "revision=5");
        assertThat(upgrade("d-w-1").maxUnavailable()).isEqualTo(2);
    }

    private Command.UpgradeMachine upgrade(String name) {
        return (Command.UpgradeMachine) Objects.requireNonNull(scene.command(name));
    }

    @Test
    void aLeaderThatHasJustReadTheRowsTakesBackWhatIsNotWantedAnyMore() {
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        restored.put(new Order(new OrderKey.FleetFreeze(), "order", "ada", "test", null, Order.Verb.FREEZE));
        List<Decision> decided = new ArrayList<>();
        new Brain(FleetDecider.standard(), restored).due(scene.now, Scene.MOST, decided::add);
        assertThat(decided).extracting(Decision::event).containsExactly(Event.ATTEMPT_CANCELLING);
        assertThat(decided.get(0).reason()).isEqualTo("freeze");
    }

    @Test
    void aCampaignThatIsDoneIsCompletedThoughMoreHaveFailedThanItBearsNow() {
        scene.cluster("d", 0, 1);
        scene.waited(() -> {
            scene.failForGood("c-w-0");
            scene.failForGood("d-w-0");
            scene.campaign(CampaignBuilder.named("up").budget(1).build());
        });
        assertThat(scene.campaignStatus("up").state()).isEqualTo(RunState.COMPLETED);
    }
}
