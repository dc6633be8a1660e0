package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.AttemptStep;
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
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
    }

    private AttemptState.Running running() {
        return (AttemptState.Running) scene.attempt("c-w-0").state();
    }

    @Test
    void anAttemptThatHasNotCalledIsRenewedWhereItIs() {
        scene.step("c-w-0", AttemptStep.GUARDING);
        scene.pass(Licence.LENGTH.minus(Licence.RENEW_BEFORE));
        assertThat(running()).isEqualTo(new AttemptState.Running(AttemptStep.GUARDING, null, scene.now.plus(Licence.LENGTH)));
        scene.step("c-w-0", AttemptStep.DRAINING);
        assertThat(running().deadline()).as("a further step is no renewal").isEqualTo(scene.now.plus(Licence.LENGTH));
        assertThat(running().step()).isEqualTo(AttemptStep.DRAINING);
    }

    @Test
    void onceMoreTheSameStepIsNewsOnlyWithTheChangeItHasBegun() {
        scene.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, null));
        int before = scene.decisions.size();
        scene.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, null));
        assertThat(scene.decisions).hasSize(before);
        scene.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, "42"));
        assertThat(running().changeId()).isEqualTo("42");
        scene.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, null));
        assertThat(running().changeId()).isEqualTo("42");
    }

    @Test
    void ofAnUnknownOutcomeAStepBeforeTheCallSaysNothing() {
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed"));
        AttemptState unknown = scene.attempt("c-w-0").state();
        scene.step("c-w-0", AttemptStep.GUARDING);
        scene.pass(Duration.ofMinutes(1));
        scene.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed again"));
        assertThat(scene.attempt("c-w-0").state()).isEqualTo(unknown);
    }

    @Test
    void aMachineThatWasSkippedAtWorkStaysSkippedHoweverItEnds() {
        skip();
        scene.fail("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(scene.entry("c-w-0").failedAttempts()).isEqualTo(1);
        assertThat(scene.entry("c-w-0").retryAt()).isNull();
        assertThat(scene.events()).contains(Event.ATTEMPT_FAILED).doesNotContain(Event.MACHINE_QUARANTINED);
    }

    @Test
    void aMachineThatWasSkippedAtWorkAndNotStartedIsNotTriedLater() {
        skip();
        scene.report("c-w-0", new AttemptReport.Deferred("on hold"));
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(scene.entry("c-w-0").deferral()).isNull();
        assertThat(scene.entry("c-w-0").retryAt()).isNull();
    }

    @Test
    void aMachineThatWasSkippedForGoodAtWorkIsNotQuarantined() {
        skip();
        scene.failForGood("c-w-0");
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
    }

    @Test
    void whatHasSucceededIsNotSkippedAnyMore() {
        scene.cluster("d", 0, 1);
        scene.succeed("c-w-0");
        skip();
        assertThat(scene.outcome("c-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(scene.events()).last().isEqualTo(Event.MACHINE_SKIPPED);
    }

    @Test
    void whatIsNotThereIsNotSkipped() {
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("nobody")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.refusal().problem()).isEqualTo("there is no machine north/default/nobody");
        scene.poison("flotilla.inventory.north", "machine/default/unreadable");
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("unreadable")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.rejected())
                .anyMatch(row -> row.problem().equals("there is no machine north/default/unreadable"));
    }

    @Test
    void aWordOfAMachineThatNobodyKnowsOrThatHasNoAttemptLeavesNoTrace() {
        long number = scene.attempt("c-w-0").id();
        scene.succeed("c-w-0");
        int before = scene.decisions.size();
        for (String name : new String[] {"nobody", "c-w-0"}) {
            scene.arrive(
                    new AttemptProgress(Scene.machine(name), Scene.uidOf(name), number, new AttemptReport.Cancelled(), scene.now));
        }
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void aMachineThatFailedAndOptedOutBeforeItWasDeletedIsForgotten() {
        scene.fail("c-w-0");
        scene.arrive(
                MachineBuilder.like(scene.row("c-w-0")).optedOut().deleting().build());
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
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
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isZero();
    }

    @Test
    void whatFailedForACampaignThatIsOverIsNotKeptOfADeletedMachine() {
        scene.fail("c-w-0");
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).deleting().build());
        int before = scene.decisions.size();
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.decisions.get(before).facts())
                .contains(new Tombstone(new RowKey(Table.STATUS, Scene.machine("c-w-0"))));
        assertThat(scene.state.machine(Scene.machine("c-w-0"))).isNull();
    }

    @Test
    void whatFailedForACampaignThatGoesOnIsKeptOfADeletedMachineWithItsReason() {
        scene.cluster("d", 0, 1);
        scene.fail("c-w-0");
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).deleting().build());
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.entry("c-w-0").failedAttempts()).isEqualTo(1);
        assertThat(scene.status("c-w-0").lastFailure().text()).isEqualTo("snap said no");
    }

    @Test
    void whatFailedForACampaignThatIsOverCountsThereNoMoreWhenAnotherTakesItsName() {
        scene.failForGood("c-w-0");
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isZero();
    }

    @Test
    void whatFailedForAnAnnotationCountsInNoCampaign() {
        scene.succeed("c-w-0");
        scene.ask(Scene.machine("c-w-0"), "revision=5");
        scene.failForGood("c-w-0");
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isZero();
    }

    @Test
    void aRenewalThatWouldEndNoLaterIsNone() {
        scene.campaign(CampaignBuilder.named("up")
                .deadline(scene.now.plus(Licence.LENGTH))
                .build());
        scene.pass(Licence.LENGTH.minus(Licence.RENEW_BEFORE));
        assertThat(scene.events()).doesNotContain(Event.ATTEMPT_RENEWED);
        assertThat(((WorkerCommand.UpgradeMachine) scene.command("c-w-0")).leaseExpiresAt())
                .isEqualTo(Scene.START.plus(Licence.LENGTH));
    }

    @Test
    void ofADeletedMachineThatNeverFailedNothingIsKeptFromTheSameDecisionOn() {
        scene.arrive(MachineBuilder.like(scene.row("c-w-0")).deleting().build());
        int before = scene.decisions.size();
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.decisions.get(before).event()).isEqualTo(Event.ATTEMPT_VANISHED);
        assertThat(scene.decisions.get(before).facts())
                .contains(new Tombstone(new RowKey(Table.STATUS, Scene.machine("c-w-0"))));
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
        assertThat(upgrade("amd").resolvedRevision()).isEqualTo("3421");
        assertThat(upgrade("arm").resolvedRevision()).isNull();
        scene.report("arm", new AttemptReport.Deferred("on hold"));
        scene.pass(Duration.ofMinutes(1));
        assertThat(upgrade("arm").resolvedRevision()).isNull();
    }

    @Test
    void aCommandSaysHowManyWorkersOfItsClusterMayBeAway() {
        scene.cluster("d", 0, 4);
        scene.succeed("c-w-0");
        for (int i = 0; i < 4; i++) {
            scene.succeed("d-w-" + i);
        }
        scene.arrive(Scene.policy(FleetScope.FLEET, null)
                .at(UpgradePolicy.MaintenanceCalendar.NONE, new UpgradePolicy.IntentRule(new CountOrPercent.Percent(50), RetryRule.DEFAULT)));
        scene.ask(Scene.machine("d-w-1"), "revision=5");
        assertThat(upgrade("d-w-1").maxUnavailable()).isEqualTo(2);
    }

    private WorkerCommand.UpgradeMachine upgrade(String name) {
        return (WorkerCommand.UpgradeMachine) Objects.requireNonNull(scene.command(name));
    }

    @Test
    void aLeaderThatHasJustReadTheRowsTakesBackWhatIsNotWantedAnyMore() {
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        restored.put(new OperatorOrder(new OperatorOrderKey.FreezeFleet(), "order", "ada", "test", null, OperatorOrder.OrderVerb.FREEZE));
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
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }
}
