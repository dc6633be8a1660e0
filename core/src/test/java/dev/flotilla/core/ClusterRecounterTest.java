package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cluster backlogs of campaigns, and their order, are counted again when anything about a cluster changes. */
class ClusterRecounterTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void optOut(String name) {
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row(name)).optedOut().build());
    }

    private void delete(String name) {
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine(name))));
    }

    private void ring(String cluster, int workers, String ring) {
        fleetScenario.cluster(FleetScenario.SITE, cluster, 0, workers, CampaignBuilder.labels("ring", ring));
    }

    private static MachineSelection ring(String ring) {
        return new MachineSelection(
                List.of(), CampaignBuilder.where("ring", ring), LabelSelector.ALL, List.of(), List.of(), List.of());
    }

    private CampaignName campaignOf(String machine) {
        return ((RolloutRef.CampaignRef) fleetScenario.attempt(machine).rolloutRef()).name();
    }

    @Test
    void doesNotStartTheLastMachineOfAClusterAfterItOptsOut() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        optOut("b-w-0");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-1")).onHold().build());
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aCampaignWithoutWorkInAClusterDoesNotChangeTheOrder() {
        ring("a", 1, "east");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.campaign(CampaignBuilder.named("urgent").priority(9).build());
        fleetScenario.campaign(CampaignBuilder.named("elsewhere")
                .select(ring("west"))
                .priority(8)
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up").priority(7).build());
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(campaignOf("a-w-0")).isEqualTo(new CampaignName("urgent"));
    }

    @Test
    void aCampaignWaitsForAnotherOnlyWhileTheyShareMachines() {
        fleetScenario.cap(1);
        ring("a", 1, "east");
        ring("b", 1, "west");
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("first").select(ring("east")).build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.report("a-w-0", new AttemptReport.Deferred("on hold"));
        fleetScenario.campaign(CampaignBuilder.named("up").target("revision=7").build());
        assertThat(fleetScenario.inFlight())
                .as("campaign up waits for campaign first")
                .isEmpty();
        optOut("a-w-0");
        delete("a-w-0");
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(campaignOf(fleetScenario.inFlight().get(0))).isEqualTo(UP);
    }

    @Test
    void aPausedCampaignKeepsTheMachinesThatItSelects() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.campaign(CampaignBuilder.named("first").priority(9).build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        assertThat(campaignOf("a-w-0")).isEqualTo(UP);
    }

    @Test
    void aMachineSkippedDuringItsFirstAttemptHasNotFailed() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("a-w-0")), OperatorOrder.OrderVerb.SKIP);
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(fleetScenario.state.failed(fleetScenario.state.rollout(UP))).isZero();
    }

    @Test
    void aControlPlaneWithAMachineInFlightWithoutARowKeepsItsReservation() {
        fleetScenario.cluster("k", 2, 0);
        fleetScenario.cluster("w", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        fleetScenario.step("k-cp-0", AttemptStep.STARTING);
        delete("k-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        assertThat(fleetScenario.closed("w-w-0")).containsExactly(GateLabel.FAILURE_BUDGET);
        assertThat(fleetScenario.explain("w-w-0").closedGates().get(0).actual()).isEqualTo("3");
    }

    @Test
    void aControlPlaneFoundUnchangedIsNotHalfUpgraded() {
        fleetScenario.cluster("k", 2, 0);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.plus(Duration.ofMinutes(5)))
                .build());
        fleetScenario.advance(Duration.ofMinutes(5));
        fleetScenario.report(
                "k-cp-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("k-cp-1")).containsExactly(GateLabel.CAMPAIGN_NOT_RUNNING);
    }

    @Test
    void aControlPlaneWithAMemberFoundAtTargetAfterAFailureIsHalfUpgraded() {
        fleetScenario.cluster("k", 2, 0);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("k-cp-1")).onHold().build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.plus(Duration.ofMinutes(20)))
                .build());
        fleetScenario.step("k-cp-0", AttemptStep.STARTING);
        fleetScenario.fail("k-cp-0");
        fleetScenario.advance(Duration.ofMinutes(2));
        fleetScenario.step("k-cp-0", AttemptStep.STARTING);
        fleetScenario.advance(Duration.ofMinutes(18));
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("k-cp-1")).build());
        fleetScenario.report(
                "k-cp-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-1");
    }

    @Test
    void theSizeOfAClusterDoesNotCountForEqualChains() {
        assertThat(first(1, 2, 3)).isEqualTo(first(2, 1, 3));
        assertThat(first(3, 2, 2)).isEqualTo("x");
        assertThat(first(2, 3, 2)).isEqualTo("y");
    }

    /** The cluster in which the first machine starts, of two with these numbers of workers and this maxUnavailable. */
    private static String first(int ofX, int ofY, int width) {
        FleetScenario fresh = FleetScenario.open();
        fresh.cap(1);
        fresh.cluster("x", 0, ofX);
        fresh.cluster("y", 0, ofY);
        fresh.campaign(CampaignBuilder.named("up").maxUnavailable(width).build());
        return fresh.inFlight().get(0).substring(0, 1);
    }

    @Test
    void unneededStatusRowsAreRemovedInTheOrderOfKeys() {
        fleetScenario.cluster("c", 0, 5);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        for (String name : List.of("c-w-2", "c-w-0", "c-w-3", "c-w-1")) {
            fleetScenario.quarantine(name);
            delete(name);
        }
        int before = fleetScenario.decisions.size();
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(fleetScenario.decisions.subList(before, fleetScenario.decisions.size()))
                .filteredOn(decision -> decision.event() == DecisionEvent.INVENTORY_CHANGED)
                .extracting(decision -> String.valueOf(decision.subject()))
                .containsExactly(
                        "north/default/c-w-0", "north/default/c-w-1", "north/default/c-w-2", "north/default/c-w-3");
    }

    @Test
    void anOlderRetryOrderLiftsNoQuarantine() {
        fleetScenario.cluster("a", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
        fleetScenario.quarantine("a-w-3");
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.outcome("a-w-3")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void aRetryOrderLiftsNothingInAFinishedCampaign() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("a-w-0");
        fleetScenario.receiveWithoutLeader(() -> {
            fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
            fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        });
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void anUnreadableMachineIsRetriedWhenItIsReadable() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("a-w-0");
        var row = fleetScenario.row("a-w-0");
        fleetScenario.makeUnreadable("flotilla.inventory.north", "machine/default/a-w-0");
        fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
        assertThat(fleetScenario.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
        fleetScenario.receive(row);
        assertThat(fleetScenario.inFlight()).contains("a-w-0");
    }

    @Test
    void retriesComeBeforeOtherMachinesOfTheCluster() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).onHold().build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.fail("a-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-2");
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0")).build());
        fleetScenario.advance(Duration.ofMinutes(2));
        fleetScenario.succeed("a-w-2");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void retriesComeBeforeALongerChain() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        fleetScenario.cluster("b", 0, 9);
        fleetScenario.fail("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
        fleetScenario.advance(Duration.ofMinutes(2));
        fleetScenario.succeed("b-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aHalfUpgradedControlPlaneComesBeforeALongerChain() {
        fleetScenario.cap(1);
        fleetScenario.cluster("k", 2, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        fleetScenario.cluster("b", 0, 9);
        fleetScenario.succeed("k-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-1");
    }

    @Test
    void anIntentFinishesAControlPlaneOutsideItsWindow() {
        TimeZoneName zone = new TimeZoneName("Etc/UTC");
        fleetScenario.decide(new DecisionInput.TimeZoneRead(new TimeZoneRules(zone, 0, List.of()), fleetScenario.now));
        UpgradePolicy.IntentRule rule = new UpgradePolicy.IntentRule(
                new CountOrPercent.Count(1),
                RetryRule.DEFAULT,
                List.of(),
                null,
                null,
                Duration.ZERO,
                List.of(new MaintenanceWindow(List.of(), null, 0, 60, zone)),
                null);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withCalendar(new UpgradePolicy.MaintenanceCalendar(zone, List.of(), Duration.ofMinutes(1)), rule));
        fleetScenario.cluster("k", 2, 1);
        fleetScenario.requestUpgrade(FleetScenario.controlPlane("k"), "revision=4");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        fleetScenario.step("k-cp-0", AttemptStep.STARTING);
        fleetScenario.advance(Duration.ofMinutes(59));
        fleetScenario.requestUpgrade(FleetScenario.deployment("k"), "revision=4");
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.succeed("k-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-1");
        fleetScenario.succeed("k-cp-1");
        assertThat(fleetScenario.inFlight()).as("its workers keep the window").isEmpty();
    }

    @Test
    void doesNotStartAMachineDeselectedByAnEdit() {
        fleetScenario.cap(1);
        ring("a", 2, "east");
        ring("b", 1, "west");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-1")).onHold().build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up").select(ring("east")).build());
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void anEditThatRemovesTheOverlapEndsTheWait() {
        ring("a", 1, "east");
        ring("b", 1, "west");
        fleetScenario.campaign(
                CampaignBuilder.named("first").select(ring("east")).build());
        fleetScenario.campaign(CampaignBuilder.named("up").target("revision=7").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target("revision=7")
                .select(ring("west"))
                .build());
        assertThat(fleetScenario.inFlight()).containsExactlyInAnyOrder("a-w-0", "b-w-0");
    }

    @Test
    void keepsTheFormerRevisionForCohorts() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.entry("a-w-0").fromRevision()).isNull();
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("b-w-0");
        fleetScenario.campaign(CampaignBuilder.named("again")
                .target("revision=7")
                .cohorts(new FailureCohortRule(List.of(), 3, 50))
                .build());
        assertThat(fleetScenario.entry("a-w-0").fromRevision()).isEqualTo("3000");
    }
}
