package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.AttemptStep;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GateTest {
    private final Scene scene = Scene.open();

    @Test
    void nothingStartsWithoutAPolicyOfTheFleet() {
        Scene bare = new Scene();
        bare.site(Scene.SITE);
        bare.cluster("c", 0, 1);
        bare.campaign(CampaignBuilder.named("up").build());
        assertThat(bare.inFlight()).isEmpty();
        assertThat(bare.closed("c-w-0")).containsExactly(GateLabel.NO_POLICY);
        bare.arrive(Scene.policy(FleetScope.FLEET, null));
        assertThat(bare.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void aFreezeOrderHoldsUntilItsOwnRowLiftsIt() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.FREEZE);
        assertThat(scene.explain("c-w-0").next()).contains("ada");
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anUnfreezeOrderDoesNotLiftThePolicysFreeze() {
        scene.arrive(new UpgradePolicy(FleetScope.FLEET, null, null, true, "year's end", null, null, null));
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.FREEZE);
        assertThat(scene.explain("c-w-0").next()).contains("year's end");
    }

    @Test
    void aSitesFreezeClosesThatSiteAlone() {
        SiteId south = new SiteId("south");
        scene.site(south);
        scene.order(new OperatorOrderKey.FreezeSite(south), OperatorOrder.OrderVerb.FREEZE);
        oneWorker();
        scene.cluster(south, "s", 0, 1, Labels.NONE);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void clocksThatDisagreeCloseTheFleet() {
        scene.take(new Input.ClockCompared(false, scene.now));
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.CLOCK);
        scene.take(new Input.ClockCompared(true, scene.now));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void aSilentSiteStartsNothing() {
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.SITE_SILENT);
        scene.take(new Input.SiteHeard(Scene.SITE, scene.now));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void aSiteWhoseTopicsAreAwayStartsNothing() {
        scene.take(new Input.SiteUnreachable(Scene.SITE, scene.now));
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.SITE_UNREACHABLE);
        scene.take(new Input.SiteReachable(Scene.SITE, scene.now));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void manyMachinesVanishingAtOnceCloseTheirSite() {
        scene.arrive(new WatcherHeartbeat(Scene.SITE, "uid-of-north", "watcher", scene.now, 40));
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.MASS_REMOVAL);
        scene.arrive(new WatcherHeartbeat(Scene.SITE, "uid-of-north", "watcher", scene.now, 0));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void oneMachineThatVanishedClosesItsSiteAsFortyDo() {
        scene.arrive(new WatcherHeartbeat(Scene.SITE, "uid-of-north", "watcher", scene.now, 1));
        oneWorker();
        assertThat(scene.closed("c-w-0")).containsExactly(GateLabel.MASS_REMOVAL);
        assertThat(scene.explain("c-w-0").next()).contains("1 machines of site north vanished at once");
    }

    @Test
    void aSiteThatNobodyHasHeardOfStartsNothing() {
        SiteId south = new SiteId("south");
        scene.cluster(south, "s", 0, 1, Labels.NONE);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(Explain.machine(scene.state, scene.gates, new MachineKey(south, "default", "s-w-0"), scene.now)
                        .closed())
                .singleElement()
                .satisfies(closed -> {
                    assertThat(closed.gate()).isEqualTo(GateLabel.SITE_SILENT);
                    assertThat(closed.have()).isEqualTo("never heard");
                });
        scene.site(south);
        assertThat(scene.inFlight()).containsExactly("s-w-0");
    }

    @Test
    void aHeartbeatThatSaysNothingNewLeavesNoTrace() {
        int before = scene.decisions.size();
        scene.arrive(new WatcherHeartbeat(Scene.SITE, "uid-of-north", "watcher", scene.now.plusSeconds(10), 0));
        assertThat(scene.decisions).hasSize(before);
    }

    @Test
    void aCommandTellsTheModeOfItsSite() {
        scene.arrive(
                new WatcherHeartbeat(Scene.SITE, "uid-of-north", "watcher", scene.now, 0, SiteMode.DIRECT, "a doubt", null));
        oneWorker();
        assertThat(scene.command("c-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.mode()).isEqualTo(SiteMode.DIRECT));
    }

    @Test
    void theFleetsCapCountsEveryCampaign() {
        scene.cap(3);
        scene.cluster("a", 0, 4);
        scene.cluster("b", 0, 4);
        scene.campaign(CampaignBuilder.named("one").build());
        scene.campaign(CampaignBuilder.named("two").target("revision=77").build());
        assertThat(scene.inFlight()).hasSize(3);
        assertThat(scene.state.inFlight()).isEqualTo(3);
    }

    @Test
    void aSlotIsFilledInTheStepThatFreesIt() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void aPercentageIsRoundedDownAndNeverBelowOne() {
        scene.cluster("a", 0, 9);
        scene.arrive(Scene.policy(FleetScope.FLEET, new CountOrPercent.Percent(25)));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(2);
        scene.arrive(Scene.policy(FleetScope.FLEET, new CountOrPercent.Percent(1)));
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void aLoweredCapInterruptsNothingAndStartsNothingUntilBelow() {
        scene.cap(3);
        scene.cluster("a", 0, 5);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.cap(1);
        assertThat(scene.inFlight()).hasSize(3);
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        assertThat(scene.inFlight()).containsExactly("a-w-2");
        scene.succeed("a-w-2");
        assertThat(scene.inFlight()).containsExactly("a-w-3");
    }

    @Test
    void eachSiteHasItsOwnCap() {
        SiteId south = new SiteId("south");
        scene.site(south);
        scene.arrive(Scene.policy(south, new CountOrPercent.Count(1)));
        scene.cluster("a", 0, 2);
        scene.cluster(south, "s", 0, 3, Labels.NONE);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactlyInAnyOrder("a-w-0", "a-w-1", "s-w-0");
    }

    @Test
    void theFleetsPolicyCapsEverySiteThatDoesNotSayOtherwise() {
        scene.arrive(new UpgradePolicy(FleetScope.FLEET, null, new CountOrPercent.Count(2), false, null, null, null, null));
        scene.cluster("a", 0, 5);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).hasSize(2);
        assertThat(scene.closed("a-w-4")).containsExactly(GateLabel.SITE_CAP);
    }

    @Test
    void aCampaignHasItsOwnCap() {
        scene.cluster("a", 0, 5);
        scene.campaign(
                CampaignBuilder.named("up").inFlight(new CountOrPercent.Percent(40)).build());
        assertThat(scene.inFlight()).hasSize(2);
        assertThat(scene.closed("a-w-3")).containsExactly(GateLabel.CAMPAIGN_CAP);
    }

    @Test
    void aClusterHasItsOwnCap() {
        scene.cluster("a", 0, 5);
        scene.campaign(CampaignBuilder.named("up").clusterInFlight(2).build());
        assertThat(scene.inFlight()).hasSize(2);
        assertThat(scene.closed("a-w-3")).containsExactly(GateLabel.CLUSTER_CAP);
    }

    @Test
    void aForeignMachineCountsAgainstCapsAndIsNeverStarted() {
        scene.cap(1);
        scene.cluster("a", 0, 1);
        scene.arrive(
                MachineBuilder.like(scene.row("a-w-0")).doing(ForeignActivity.FOREIGN).build());
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("b-w-0")).containsExactly(GateLabel.FLEET_CAP);
        assertThat(scene.closed("a-w-0")).contains(GateLabel.MACHINE);
    }

    @Test
    void theControlPlaneGoesFirstOneAtATime() {
        scene.cluster("a", 3, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-cp-0");
        assertThat(scene.closed("a-cp-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        scene.succeed("a-cp-0");
        scene.succeed("a-cp-1");
        assertThat(scene.inFlight()).containsExactly("a-cp-2");
        scene.succeed("a-cp-2");
        assertThat(scene.inFlight()).containsExactly("a-w-0", "a-w-1");
    }

    @Test
    void workersMayGoAnyTimeWhereTheCampaignSaysSoButNeverBesideAControlPlaneMachine() {
        scene.cluster("a", 1, 1);
        scene.arrive(MachineBuilder.like(scene.row("a-cp-0")).onHold().build());
        scene.campaign(CampaignBuilder.named("up").workersAnyTime().build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aQuarantinedControlPlaneMachineStopsTheRestUntilItIsSkipped() {
        scene.cluster("a", 3, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("a-cp-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-cp-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        scene.order(new OperatorOrderKey.SkipMachine(new CampaignName("up"), Scene.machine("a-cp-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
    }

    @Test
    void aControlPlaneWaitsForAllItsOtherMembers() {
        scene.cluster("a", 3, 0);
        scene.arrive(MachineBuilder.like(scene.row("a-cp-2")).notReady().build());
        scene.campaign(CampaignBuilder.named("up").build());
        // The member that is not ready may itself go: all the others are.
        assertThat(scene.inFlight()).containsExactly("a-cp-2");
        assertThat(scene.closed("a-cp-0")).contains(GateLabel.CLUSTER_HEALTH);
    }

    @Test
    void aControlPlaneWaitsWhileMembersAreMissing() {
        scene.cluster("a", 3, 0);
        scene.arrive(new ClusterRow(
                new dev.flotilla.schemas.id.ClusterKey(Scene.SITE, "default", "a"),
                "uid-a",
                Labels.NONE,
                false,
                false,
                null,
                4,
                0));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("a-cp-0").closed()).singleElement().satisfies(closed -> {
            assertThat(closed.gate()).isEqualTo(GateLabel.CLUSTER_HEALTH);
            assertThat(closed.have()).isEqualTo("3");
            assertThat(closed.need()).isEqualTo("4");
        });
    }

    @Test
    void unavailableAndInFlightWorkersAreCountedTogetherAndOnce() {
        scene.cluster("a", 0, 4);
        scene.arrive(MachineBuilder.like(scene.row("a-w-3")).notReady().build());
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(2).build());
        // The one that is unavailable already may be in flight as well: that makes no more of them.
        assertThat(scene.inFlight()).containsExactly("a-w-0", "a-w-3");
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
    }

    @Test
    void aPausedOrHeldClusterStartsNothing() {
        scene.cluster("a", 0, 1);
        ClusterRow row = new ClusterRow(
                new dev.flotilla.schemas.id.ClusterKey(Scene.SITE, "default", "a"),
                "uid-a",
                Labels.NONE,
                true,
                false,
                null,
                0,
                1);
        scene.arrive(row);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        scene.arrive(new ClusterRow(row.key(), "uid-a", Labels.NONE, false, false, null, 0, 1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    static Stream<Arguments> closedMachines() {
        return Stream.of(
                closed("deleted", MachineBuilder::deleting),
                closed("no node", MachineBuilder::noNode),
                closed("hold", MachineBuilder::onHold),
                closed("paused", MachineBuilder::paused),
                closed("rolling", b -> b.doing(ForeignActivity.ROLLING)),
                closed("scaling", b -> b.doing(ForeignActivity.SCALING)),
                closed("remediated", b -> b.doing(ForeignActivity.REMEDIATION)),
                closed("certificates", b -> b.doing(ForeignActivity.CERTIFICATES)),
                closed("another controller", b -> b.doing(ForeignActivity.FOREIGN)));
    }

    private static Arguments closed(String word, UnaryOperator<MachineBuilder> change) {
        return Arguments.of(word, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("closedMachines")
    void aMachineWaitsWhileSomethingElseIsDoneToIt(String word, UnaryOperator<MachineBuilder> change) {
        scene.cluster("a", 0, 1);
        MachineRow free = scene.row("a-w-0");
        scene.arrive(change.apply(MachineBuilder.like(free)).build());
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-0")).contains(GateLabel.MACHINE);
        assertThat(scene.explain("a-w-0").next()).contains(word);
        scene.arrive(MachineBuilder.like(free).build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void theBudgetIsNotExceededEvenIfAllInFlightFail() {
        scene.cluster("a", 0, 6);
        scene.campaign(CampaignBuilder.named("up").budget(2).attempts(1).build());
        assertThat(scene.inFlight()).hasSize(2);
        scene.fail("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.closed("a-w-2")).containsExactly(GateLabel.BUDGET);
        scene.succeed("a-w-1");
        assertThat(scene.inFlight()).containsExactly("a-w-2");
        scene.fail("a-w-2");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("a-w-3").closed()).singleElement().satisfies(closed -> {
            assertThat(closed.have()).isEqualTo("3");
            assertThat(closed.need()).isEqualTo("2");
        });
    }

    @Test
    void aFailedMachinesNextTryTakesNothingMoreOutOfTheBudget() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        scene.fail("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMinutes(2));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void aControlPlaneIsBegunOnlyWhereTheBudgetBearsAllOfIt() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-cp-0")).containsExactly(GateLabel.BUDGET);
        scene.campaign(CampaignBuilder.named("up").budget(3).build());
        assertThat(scene.inFlight()).containsExactly("a-cp-0");
    }

    @Test
    void aControlPlaneTooLargeForTheBudgetHoldsUpNobodyElse() {
        scene.cluster("a", 3, 0);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void aHalfDoneControlPlaneIsFinishedPastTheDeadline() {
        scene.cluster("a", 3, 1);
        scene.campaign(CampaignBuilder.named("up")
                .deadline(scene.now.plus(Duration.ofMinutes(5)))
                .build());
        scene.step("a-cp-0", AttemptStep.REFRESHING);
        scene.pass(Duration.ofMinutes(6));
        scene.succeed("a-cp-0");
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
        scene.succeed("a-cp-1");
        scene.succeed("a-cp-2");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CAMPAIGN);
    }

    @Test
    void aPauseStopsEvenAHalfDoneControlPlaneAndSaysSo() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.step("a-cp-0", AttemptStep.REFRESHING);
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("up")), OperatorOrder.OrderVerb.PAUSE);
        scene.succeed("a-cp-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("a-cp-1").next()).contains("half done");
    }

    @Test
    void theLongestChainGoesFirst() {
        scene.cap(1);
        scene.cluster("short", 0, 2);
        scene.cluster("long", 0, 6);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        // The first machine may have started before the longer cluster was known; the next ones are chosen by length.
        String first = scene.inFlight().get(0);
        scene.succeed(first);
        assertThat(scene.inFlight()).singleElement().asString().startsWith("long-");
    }

    @Test
    void explainNamesEveryGateThatIsClosedInOrder() {
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        scene.cluster("a", 0, 1);
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).onHold().build());
        scene.campaign(CampaignBuilder.named("up")
                .wave("first", LabelSelector.ALL, true, 100)
                .build());
        assertThat(scene.closed("a-w-0"))
                .isEqualTo(List.of(GateLabel.FREEZE, GateLabel.SITE_SILENT, GateLabel.WAVE, GateLabel.MACHINE));
    }

    @Test
    void anOptedOutMachineIsSkippedAndDoesNotWait() {
        scene.cluster("a", 0, 2);
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).optedOut().build());
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-1");
        assertThat(scene.explain("a-w-0").state()).isEqualTo("skipped");
        scene.succeed("a-w-1");
        assertThat(scene.events()).contains(Event.CAMPAIGN_COMPLETED);
        assertThat(scene.outcome("a-w-1")).isEqualTo(MachineOutcome.SUCCEEDED);
    }

    private void oneWorker() {
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void aHeartbeatIsWrittenWhereItTellsAnotherWatcherModeOrNumberThatVanished() {
        for (WatcherHeartbeat told : List.of(
                new WatcherHeartbeat(Scene.SITE, "another-cluster", "watcher", scene.now, 0),
                new WatcherHeartbeat(Scene.SITE, "another-cluster", "watcher", scene.now, 2),
                new WatcherHeartbeat(
                        Scene.SITE, "another-cluster", "watcher", scene.now, 2, SiteMode.DIRECT, "a doubt", null))) {
            int before = scene.decisions.size();
            scene.arrive(told);
            assertThat(scene.decisions).hasSize(before + 1);
            assertThat(scene.decisions.getLast().facts()).contains(told);
            scene.arrive(told);
            assertThat(scene.decisions).hasSize(before + 1);
        }
    }
}
