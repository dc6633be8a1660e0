package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StartGatesTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void nothingStartsWithoutAPolicyOfTheFleet() {
        FleetScenario bare = new FleetScenario();
        bare.site(FleetScenario.SITE);
        bare.cluster("c", 0, 1);
        bare.campaign(CampaignBuilder.named("up").build());
        assertThat(bare.inFlight()).isEmpty();
        assertThat(bare.closed("c-w-0")).containsExactly(GateLabel.NO_POLICY);
        bare.receive(FleetScenario.policy(FleetScope.FLEET, null));
        assertThat(bare.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void aFreezeHoldsUntilAnUnfreezeLiftsIt() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.FREEZE);
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("ada");
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anUnfreezeOrderDoesNotLiftThePolicysFreeze() {
        fleetScenario.receive(new UpgradePolicy(FleetScope.FLEET, null, null, true, "year's end", null, null, null));
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.FREEZE);
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("year's end");
    }

    @Test
    void aSitesFreezeClosesOnlyThatSite() {
        SiteId south = new SiteId("south");
        fleetScenario.site(south);
        fleetScenario.order(new OperatorOrderKey.FreezeSite(south), OperatorOrder.OrderVerb.FREEZE);
        oneWorker();
        fleetScenario.cluster(south, "s", 0, 1, Labels.NONE);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void clockSkewClosesTheFleet() {
        fleetScenario.decide(new DecisionInput.ClockCompared(false, fleetScenario.now));
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.CLOCK_SKEW);
        fleetScenario.decide(new DecisionInput.ClockCompared(true, fleetScenario.now));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void aSilentSiteStartsNothing() {
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.SITE_SILENT);
        fleetScenario.decide(new DecisionInput.HeartbeatResumed(FleetScenario.SITE, fleetScenario.now));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anUnreachableSiteStartsNothing() {
        fleetScenario.decide(new DecisionInput.SiteUnreachable(FleetScenario.SITE, fleetScenario.now));
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.SITE_UNREACHABLE);
        fleetScenario.decide(new DecisionInput.SiteReachable(FleetScenario.SITE, fleetScenario.now));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void aMassRemovalClosesItsSite() {
        fleetScenario.receive(
                new WatcherHeartbeat(FleetScenario.SITE, "uid-of-north", "watcher", fleetScenario.now, 40));
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.MASS_REMOVAL);
        fleetScenario.receive(
                new WatcherHeartbeat(FleetScenario.SITE, "uid-of-north", "watcher", fleetScenario.now, 0));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void oneWithheldRemovalClosesItsSite() {
        fleetScenario.receive(
                new WatcherHeartbeat(FleetScenario.SITE, "uid-of-north", "watcher", fleetScenario.now, 1));
        oneWorker();
        assertThat(fleetScenario.closed("c-w-0")).containsExactly(GateLabel.MASS_REMOVAL);
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("1 machine of site north vanished at once");
    }

    @Test
    void aSiteWithoutAHeartbeatStartsNothing() {
        SiteId south = new SiteId("south");
        fleetScenario.cluster(south, "s", 0, 1, Labels.NONE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(MachineExplainer.explainMachine(
                                fleetScenario.state,
                                fleetScenario.gates,
                                new MachineKey(south, "default", "s-w-0"),
                                fleetScenario.now)
                        .closedGates())
                .singleElement()
                .satisfies(closedGate -> {
                    assertThat(closedGate.gate()).isEqualTo(GateLabel.SITE_SILENT);
                    assertThat(closedGate.actual()).isEqualTo("no heartbeat yet");
                });
        fleetScenario.site(south);
        assertThat(fleetScenario.inFlight()).containsExactly("s-w-0");
    }

    @Test
    void anUnchangedHeartbeatChangesNothing() {
        int before = fleetScenario.decisions.size();
        fleetScenario.receive(new WatcherHeartbeat(
                FleetScenario.SITE, "uid-of-north", "watcher", fleetScenario.now.plusSeconds(10), 0));
        assertThat(fleetScenario.decisions).hasSize(before);
    }

    @Test
    void aCommandCarriesTheModeOfItsSite() {
        fleetScenario.receive(new WatcherHeartbeat(
                FleetScenario.SITE, "uid-of-north", "watcher", fleetScenario.now, 0, SiteMode.DIRECT, "a doubt", null));
        oneWorker();
        assertThat(fleetScenario.command("c-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.mode()).isEqualTo(SiteMode.DIRECT));
    }

    @Test
    void theFleetsCapCountsEveryCampaign() {
        fleetScenario.cap(3);
        fleetScenario.cluster("a", 0, 4);
        fleetScenario.cluster("b", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("one").build());
        fleetScenario.campaign(
                CampaignBuilder.named("two").target("revision=77").build());
        assertThat(fleetScenario.inFlight()).hasSize(3);
        assertThat(fleetScenario.state.inFlight()).isEqualTo(3);
    }

    @Test
    void aFreedSlotIsFilledInTheSameStep() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void aPercentageIsRoundedDownAndNeverBelowOne() {
        fleetScenario.cluster("a", 0, 9);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Percent(25)));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Percent(1)));
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void aLoweredCapInterruptsNothingAndStartsNothingUntilBelow() {
        fleetScenario.cap(3);
        fleetScenario.cluster("a", 0, 5);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.cap(1);
        assertThat(fleetScenario.inFlight()).hasSize(3);
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-2");
        fleetScenario.succeed("a-w-2");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-3");
    }

    @Test
    void eachSiteHasItsOwnCap() {
        SiteId south = new SiteId("south");
        fleetScenario.site(south);
        fleetScenario.receive(FleetScenario.policy(south, new CountOrPercent.Count(1)));
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.cluster(south, "s", 0, 3, Labels.NONE);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactlyInAnyOrder("a-w-0", "a-w-1", "s-w-0");
    }

    @Test
    void theFleetsPolicyCapsEverySiteWithoutACapOfItsOwn() {
        fleetScenario.receive(
                new UpgradePolicy(FleetScope.FLEET, null, new CountOrPercent.Count(2), false, null, null, null, null));
        fleetScenario.cluster("a", 0, 5);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        assertThat(fleetScenario.closed("a-w-4")).containsExactly(GateLabel.SITE_CAP);
    }

    @Test
    void aCampaignHasItsOwnCap() {
        fleetScenario.cluster("a", 0, 5);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Percent(40))
                .build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        assertThat(fleetScenario.closed("a-w-3")).containsExactly(GateLabel.CAMPAIGN_CAP);
    }

    @Test
    void aClusterHasItsOwnCap() {
        fleetScenario.cluster("a", 0, 5);
        fleetScenario.campaign(CampaignBuilder.named("up").clusterInFlight(2).build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        assertThat(fleetScenario.closed("a-w-3")).containsExactly(GateLabel.CLUSTER_CAP);
    }

    @Test
    void aForeignMachineCountsAgainstCapsAndIsNeverStarted() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0"))
                .doing(ForeignActivity.FOREIGN)
                .build());
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("b-w-0")).containsExactly(GateLabel.FLEET_CAP);
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.MACHINE_NOT_ELIGIBLE);
    }

    @Test
    void theControlPlaneGoesFirstOneAtATime() {
        fleetScenario.cluster("a", 3, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.closed("a-cp-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        fleetScenario.succeed("a-cp-0");
        fleetScenario.succeed("a-cp-1");
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-2");
        fleetScenario.succeed("a-cp-2");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0", "a-w-1");
    }

    @Test
    void workersStartBeforeTheControlPlaneIfTheCampaignAllowsItButNeverBesideIt() {
        fleetScenario.cluster("a", 1, 1);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-cp-0")).onHold().build());
        fleetScenario.campaign(CampaignBuilder.named("up").workersAnyTime().build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aQuarantinedControlPlaneMachineStopsTheRestUntilItIsSkipped() {
        fleetScenario.cluster("a", 3, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-cp-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(new CampaignName("up"), FleetScenario.machine("a-cp-0")),
                OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
    }

    @Test
    void aControlPlaneWaitsForAllItsOtherMembers() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-cp-2")).notReady().build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        // The member that is not ready can start itself, because all others are ready.
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-2");
        assertThat(fleetScenario.closed("a-cp-0")).contains(GateLabel.CLUSTER_HEALTH);
    }

    @Test
    void aControlPlaneWaitsWhileMembersAreMissing() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.receive(new ClusterRow(
                new dev.flotilla.schemas.id.ClusterKey(FleetScenario.SITE, "default", "a"),
                "uid-a",
                Labels.NONE,
                false,
                false,
                null,
                4,
                0));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-cp-0").closedGates())
                .singleElement()
                .satisfies(closedGate -> {
                    assertThat(closedGate.gate()).isEqualTo(GateLabel.CLUSTER_HEALTH);
                    assertThat(closedGate.actual()).isEqualTo("3");
                    assertThat(closedGate.required()).isEqualTo("4");
                });
    }

    @Test
    void unavailableAndInFlightWorkersAreCountedTogetherAndOnce() {
        fleetScenario.cluster("a", 0, 4);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-3")).notReady().build());
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(2).build());
        // The unavailable machine may also be in flight without making more machines unavailable.
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0", "a-w-3");
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
    }

    @Test
    void aPausedOrHeldClusterStartsNothing() {
        fleetScenario.cluster("a", 0, 1);
        ClusterRow row = new ClusterRow(
                new dev.flotilla.schemas.id.ClusterKey(FleetScenario.SITE, "default", "a"),
                "uid-a",
                Labels.NONE,
                true,
                false,
                null,
                0,
                1);
        fleetScenario.receive(row);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        fleetScenario.receive(new ClusterRow(row.key(), "uid-a", Labels.NONE, false, false, null, 0, 1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    static Stream<Arguments> closedMachines() {
        return Stream.of(
                closed("deleted", MachineRowBuilder::deleting),
                closed("no node", MachineRowBuilder::noNode),
                closed("hold", MachineRowBuilder::onHold),
                closed("paused", MachineRowBuilder::paused),
                closed("rolling", b -> b.doing(ForeignActivity.ROLLING)),
                closed("scaling", b -> b.doing(ForeignActivity.SCALING)),
                closed("remediated", b -> b.doing(ForeignActivity.REMEDIATION)),
                closed("certificates", b -> b.doing(ForeignActivity.CERTIFICATES)),
                closed("another controller", b -> b.doing(ForeignActivity.FOREIGN)));
    }

    private static Arguments closed(String reason, UnaryOperator<MachineRowBuilder> change) {
        return Arguments.of(reason, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("closedMachines")
    void aMachineWaitsWhileItIsNotEligible(String reason, UnaryOperator<MachineRowBuilder> change) {
        fleetScenario.cluster("a", 0, 1);
        MachineRow free = fleetScenario.row("a-w-0");
        fleetScenario.receive(change.apply(MachineRowBuilder.like(free)).build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-0")).contains(GateLabel.MACHINE_NOT_ELIGIBLE);
        assertThat(fleetScenario.explain("a-w-0").nextStep()).contains(reason);
        fleetScenario.receive(MachineRowBuilder.like(free).build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void theBudgetHoldsEvenIfAllMachinesInFlightFail() {
        fleetScenario.cluster("a", 0, 6);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).attempts(1).build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        fleetScenario.fail("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.closed("a-w-2")).containsExactly(GateLabel.FAILURE_BUDGET);
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-2");
        fleetScenario.fail("a-w-2");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-w-3").closedGates()).singleElement().satisfies(closedGate -> {
            assertThat(closedGate.actual()).isEqualTo("3");
            assertThat(closedGate.required()).isEqualTo("2");
        });
    }

    @Test
    void aRetryUsesNoMoreOfTheBudget() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        fleetScenario.fail("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMinutes(2));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void aControlPlaneStartsOnlyIfTheBudgetCoversAllOfIt() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-cp-0")).containsExactly(GateLabel.FAILURE_BUDGET);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(3).build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
    }

    @Test
    void aControlPlaneTooLargeForTheBudgetBlocksNoOtherCluster() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void aHalfUpgradedControlPlaneIsFinishedPastTheDeadline() {
        fleetScenario.cluster("a", 3, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .deadline(fleetScenario.now.plus(Duration.ofMinutes(5)))
                .build());
        fleetScenario.step("a-cp-0", AttemptStep.REFRESHING);
        fleetScenario.advance(Duration.ofMinutes(6));
        fleetScenario.succeed("a-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
        fleetScenario.succeed("a-cp-1");
        fleetScenario.succeed("a-cp-2");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CAMPAIGN_NOT_RUNNING);
    }

    @Test
    void aPauseStopsAHalfUpgradedControlPlaneAndSaysSo() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.step("a-cp-0", AttemptStep.REFRESHING);
        fleetScenario.order(
                new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        fleetScenario.succeed("a-cp-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-cp-1").nextStep()).contains("half upgraded");
    }

    @Test
    void theLongestChainGoesFirst() {
        fleetScenario.cap(1);
        fleetScenario.cluster("short", 0, 2);
        fleetScenario.cluster("long", 0, 6);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        // The first machine may have started before the longer cluster was known; the next ones are chosen by length.
        String first = fleetScenario.inFlight().get(0);
        fleetScenario.succeed(first);
        assertThat(fleetScenario.inFlight()).singleElement().asString().startsWith("long-");
    }

    @Test
    void explanationNamesAllClosedGatesInOrder() {
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        fleetScenario.decide(new DecisionInput.HeartbeatLost(FleetScenario.SITE, fleetScenario.now));
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).onHold().build());
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave("first", LabelSelector.ALL, true, 100)
                .build());
        assertThat(fleetScenario.closed("a-w-0"))
                .isEqualTo(List.of(
                        GateLabel.FREEZE, GateLabel.SITE_SILENT, GateLabel.WAVE, GateLabel.MACHINE_NOT_ELIGIBLE));
    }

    @Test
    void anOptedOutMachineIsSkipped() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).optedOut().build());
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
        assertThat(fleetScenario.explain("a-w-0").state()).isEqualTo("skipped");
        fleetScenario.succeed("a-w-1");
        assertThat(fleetScenario.events()).contains(DecisionEvent.CAMPAIGN_COMPLETED);
        assertThat(fleetScenario.outcome("a-w-1")).isEqualTo(MachineOutcome.SUCCEEDED);
    }

    private void oneWorker() {
        fleetScenario.cluster("c", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void aHeartbeatIsWrittenWhenItsWatcherModeOrWithheldRemovalsChange() {
        for (WatcherHeartbeat heartbeat : List.of(
                new WatcherHeartbeat(FleetScenario.SITE, "another-cluster", "watcher", fleetScenario.now, 0),
                new WatcherHeartbeat(FleetScenario.SITE, "another-cluster", "watcher", fleetScenario.now, 2),
                new WatcherHeartbeat(
                        FleetScenario.SITE,
                        "another-cluster",
                        "watcher",
                        fleetScenario.now,
                        2,
                        SiteMode.DIRECT,
                        "a doubt",
                        null))) {
            int before = fleetScenario.decisions.size();
            fleetScenario.receive(heartbeat);
            assertThat(fleetScenario.decisions).hasSize(before + 1);
            assertThat(fleetScenario.decisions.getLast().changes()).contains(heartbeat);
            fleetScenario.receive(heartbeat);
            assertThat(fleetScenario.decisions).hasSize(before + 1);
        }
    }
}
