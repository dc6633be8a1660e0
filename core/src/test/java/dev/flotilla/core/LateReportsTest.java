package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Late reports: of attempts that were renewed, skipped or forgotten in the meantime. */
class LateReportsTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneWorkerStarts() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    private void skip() {
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
    }

    private AttemptState.Running running() {
        return (AttemptState.Running) fleetScenario.attempt("c-w-0").state();
    }

    @Test
    void anAttemptIsRenewedInItsStepBeforeTheCall() {
        fleetScenario.step("c-w-0", AttemptStep.GUARDING);
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(CommandLeaseTimeouts.RENEW_BEFORE));
        assertThat(running())
                .isEqualTo(new AttemptState.Running(
                        AttemptStep.GUARDING, null, fleetScenario.now.plus(CommandLeaseTimeouts.DURATION)));
        fleetScenario.step("c-w-0", AttemptStep.DRAINING);
        assertThat(running().deadline())
                .as("a further step does not renew the lease")
                .isEqualTo(fleetScenario.now.plus(CommandLeaseTimeouts.DURATION));
        assertThat(running().step()).isEqualTo(AttemptStep.DRAINING);
    }

    @Test
    void theSameStepAgainCountsOnlyWithANewChangeId() {
        fleetScenario.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, null));
        int before = fleetScenario.decisions.size();
        fleetScenario.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, null));
        assertThat(fleetScenario.decisions).hasSize(before);
        fleetScenario.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, "42"));
        assertThat(running().changeId()).isEqualTo("42");
        fleetScenario.report("c-w-0", new AttemptReport.StepReached(AttemptStep.REFRESHING, null));
        assertThat(running().changeId()).isEqualTo("42");
    }

    @Test
    void anUnknownAttemptIgnoresAStepBeforeTheCall() {
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed"));
        AttemptState unknown = fleetScenario.attempt("c-w-0").state();
        fleetScenario.step("c-w-0", AttemptStep.GUARDING);
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.report("c-w-0", new AttemptReport.OutcomeUnknown("crashed again"));
        assertThat(fleetScenario.attempt("c-w-0").state()).isEqualTo(unknown);
    }

    @Test
    void aMachineSkippedInFlightStaysSkippedHoweverItsAttemptEnds() {
        skip();
        fleetScenario.fail("c-w-0");
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isEqualTo(1);
        assertThat(fleetScenario.entry("c-w-0").retryAt()).isNull();
        assertThat(fleetScenario.events())
                .contains(DecisionEvent.ATTEMPT_FAILED)
                .doesNotContain(DecisionEvent.MACHINE_QUARANTINED);
    }

    @Test
    void aMachineSkippedBeforeItsCallIsNotRetried() {
        skip();
        fleetScenario.report("c-w-0", new AttemptReport.Deferred("on hold"));
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(fleetScenario.entry("c-w-0").deferral()).isNull();
        assertThat(fleetScenario.entry("c-w-0").retryAt()).isNull();
    }

    @Test
    void aMachineSkippedInFlightIsNotQuarantined() {
        skip();
        fleetScenario.quarantine("c-w-0");
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
    }

    @Test
    void aSucceededMachineIsNotSkipped() {
        fleetScenario.cluster("d", 0, 1);
        fleetScenario.succeed("c-w-0");
        skip();
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SUCCEEDED);
        assertThat(fleetScenario.events()).last().isEqualTo(DecisionEvent.MACHINE_SKIPPED);
    }

    @Test
    void rejectsASkipOfAnUnknownMachine() {
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("nobody")), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.onlyRejection().problem()).isEqualTo("there is no machine north/default/nobody");
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/unreadable");
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("unreadable")),
                OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.rejected())
                .anyMatch(row -> row.problem().equals("there is no machine north/default/unreadable"));
    }

    @Test
    void aReportWithoutAnAttemptChangesNothing() {
        long number = fleetScenario.attempt("c-w-0").id();
        fleetScenario.succeed("c-w-0");
        int before = fleetScenario.decisions.size();
        for (String name : new String[] {"nobody", "c-w-0"}) {
            fleetScenario.receive(new AttemptProgress(
                    FleetScenario.machine(name),
                    FleetScenario.uidOf(name),
                    number,
                    new AttemptReport.Cancelled(),
                    fleetScenario.now));
        }
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void aFailedMachineThatOptedOutBeforeItsDeletionIsForgotten() {
        fleetScenario.fail("c-w-0");
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("c-w-0"))
                .optedOut()
                .deleting()
                .build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.status("c-w-0")).isNull();
        assertThat(fleetScenario.state.machine(FleetScenario.machine("c-w-0"))).isNull();
    }

    @Test
    void aFailedMachineThatOptedOutBeforeItsReplacementIsNoFailure() {
        fleetScenario.cluster("d", 0, 1);
        fleetScenario.quarantine("c-w-0");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("c-w-0")).optedOut().build());
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .build());
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isZero();
    }

    @Test
    void aDeletedMachinesFailureForAFinishedCampaignIsForgotten() {
        fleetScenario.fail("c-w-0");
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("c-w-0")).deleting().build());
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.decisions.get(before).changes())
                .contains(new Tombstone(new RowKey(Table.STATUS, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.state.machine(FleetScenario.machine("c-w-0"))).isNull();
    }

    @Test
    void aDeletedMachinesFailureForARunningCampaignIsKeptWithItsReason() {
        fleetScenario.cluster("d", 0, 1);
        fleetScenario.fail("c-w-0");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("c-w-0")).deleting().build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isEqualTo(1);
        assertThat(fleetScenario.status("c-w-0").lastFailure().text()).isEqualTo("snap said no");
    }

    @Test
    void aReplacedMachinesFailureForAFinishedCampaignDoesNotCount() {
        fleetScenario.quarantine("c-w-0");
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .build());
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isZero();
    }

    @Test
    void aFailureForAnIntentCountsInNoCampaign() {
        fleetScenario.succeed("c-w-0");
        fleetScenario.requestUpgrade(FleetScenario.machine("c-w-0"), "revision=5");
        fleetScenario.quarantine("c-w-0");
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .build());
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isZero();
    }

    @Test
    void doesNotRenewALeaseThatWouldNotEndLater() {
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.plus(CommandLeaseTimeouts.DURATION))
                .build());
        fleetScenario.advance(CommandLeaseTimeouts.DURATION.minus(CommandLeaseTimeouts.RENEW_BEFORE));
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.ATTEMPT_RENEWED);
        assertThat(((WorkerCommand.UpgradeMachine) fleetScenario.command("c-w-0")).leaseExpiresAt())
                .isEqualTo(FleetScenario.START.plus(CommandLeaseTimeouts.DURATION));
    }

    @Test
    void aDeletedMachineWithoutFailuresIsForgottenAtOnce() {
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("c-w-0")).deleting().build());
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.decisions.get(before).event()).isEqualTo(DecisionEvent.ATTEMPT_VANISHED);
        assertThat(fleetScenario.decisions.get(before).changes())
                .contains(new Tombstone(new RowKey(Table.STATUS, FleetScenario.machine("c-w-0"))));
    }

    @Test
    void aRestoredLeaderRenewsDueLeasesAtOnce() {
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        List<Decision> decided = new ArrayList<>();
        Instant due = fleetScenario.now.plus(CommandLeaseTimeouts.DURATION).minus(CommandLeaseTimeouts.RENEW_BEFORE);
        new DecisionEngine(FleetDecider.standard(), restored).decideDueWork(due, 1, decided::add);
        assertThat(decided).extracting(Decision::event).containsExactly(DecisionEvent.ATTEMPT_RENEWED);
    }

    @Test
    void aCommandCarriesTheResolvedRevisionOfItsArchitecture() {
        fleetScenario.cluster("d", 0, 0);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "d", "arm")
                .architecture("arm64")
                .build());
        fleetScenario.receive(
                MachineRowBuilder.of(FleetScenario.SITE, "d", "amd").onHold().build());
        fleetScenario.succeed("c-w-0");
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("amd")).build());
        assertThat(upgrade("amd").resolvedRevision()).isEqualTo("3421");
        assertThat(upgrade("arm").resolvedRevision()).isNull();
        fleetScenario.report("arm", new AttemptReport.Deferred("on hold"));
        fleetScenario.advance(Duration.ofMinutes(1));
        assertThat(upgrade("arm").resolvedRevision()).isNull();
    }

    @Test
    void aCommandCarriesMaxUnavailable() {
        fleetScenario.cluster("d", 0, 4);
        fleetScenario.succeed("c-w-0");
        for (int i = 0; i < 4; i++) {
            fleetScenario.succeed("d-w-" + i);
        }
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withCalendar(
                        UpgradePolicy.MaintenanceCalendar.NONE,
                        new UpgradePolicy.IntentRule(new CountOrPercent.Percent(50), RetryRule.DEFAULT)));
        fleetScenario.requestUpgrade(FleetScenario.machine("d-w-1"), "revision=5");
        assertThat(upgrade("d-w-1").maxUnavailable()).isEqualTo(2);
    }

    private WorkerCommand.UpgradeMachine upgrade(String name) {
        return (WorkerCommand.UpgradeMachine) Objects.requireNonNull(fleetScenario.command(name));
    }

    @Test
    void aRestoredLeaderRevokesUnwantedLeases() {
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        restored.put(new OperatorOrder(
                new OperatorOrderKey.FreezeFleet(), "order", "ada", "test", null, OperatorOrder.OrderVerb.FREEZE));
        List<Decision> decided = new ArrayList<>();
        new DecisionEngine(FleetDecider.standard(), restored)
                .decideDueWork(fleetScenario.now, FleetScenario.MOST, decided::add);
        assertThat(decided).extracting(Decision::event).containsExactly(DecisionEvent.ATTEMPT_CANCELLING);
        assertThat(decided.get(0).reason()).isEqualTo("freeze");
    }

    @Test
    void aFinishedCampaignCompletesThoughItsBudgetIsBreached() {
        fleetScenario.cluster("d", 0, 1);
        fleetScenario.receiveWithoutLeader(() -> {
            fleetScenario.quarantine("c-w-0");
            fleetScenario.quarantine("d-w-0");
            fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        });
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }
}
