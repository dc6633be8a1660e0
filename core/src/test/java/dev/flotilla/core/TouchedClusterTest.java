package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What campaigns have to do in a cluster, and who goes first there, is counted anew when anything about it changes. */
class TouchedClusterTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    private void optOut(String name) {
        scene.arrive(MachineBuilder.like(scene.row(name)).optedOut().build());
    }

    private void gone(String name) {
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine(name))));
    }

    private void ring(String cluster, int workers, String ring) {
        scene.cluster(Scene.SITE, cluster, 0, workers, CampaignBuilder.labels("ring", ring));
    }

    private static MachineSelection ring(String ring) {
        return new MachineSelection(
                List.of(), CampaignBuilder.where("ring", ring), LabelSelector.ALL, List.of(), List.of(), List.of());
    }

    private CampaignName driver(String machine) {
        return ((RolloutRef.CampaignRef) scene.attempt(machine).rolloutRef()).name();
    }

    @Test
    void aMachineThatOptsOutWhileItWaitsAsTheLastOfItsClusterIsNotStarted() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        optOut("b-w-0");
        scene.arrive(MachineBuilder.like(scene.row("a-w-1")).onHold().build());
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void aCampaignThatHasNothingToDoInAClusterChangesNothingOfWhoGoesFirst() {
        ring("a", 1, "east");
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.campaign(CampaignBuilder.named("urgent").priority(9).build());
        scene.campaign(CampaignBuilder.named("elsewhere")
                .select(ring("west"))
                .priority(8)
                .build());
        scene.campaign(CampaignBuilder.named("up").priority(7).build());
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(driver("a-w-0")).isEqualTo(new CampaignName("urgent"));
    }

    @Test
    void aCampaignWaitsForAnotherOnlyAsLongAsTheyShareMachines() {
        scene.cap(1);
        ring("a", 1, "east");
        ring("b", 1, "west");
        scene.cluster("c", 0, 1);
        scene.campaign(CampaignBuilder.named("first").select(ring("east")).build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.report("a-w-0", new AttemptReport.Deferred("on hold"));
        scene.campaign(CampaignBuilder.named("up").target("revision=7").build());
        assertThat(scene.inFlight()).as("up waits for first").isEmpty();
        optOut("a-w-0");
        gone("a-w-0");
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(driver(scene.inFlight().get(0))).isEqualTo(UP);
    }

    @Test
    void aPausedCampaignKeepsTheMachinesThatItSelects() {
        scene.cluster("a", 0, 1);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE);
        scene.campaign(CampaignBuilder.named("first").priority(9).build());
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.PAUSE);
        scene.order(new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.UNFREEZE);
        assertThat(scene.inFlight()).isEmpty();
        scene.order(new OperatorOrderKey.SetCampaignState(new CampaignName("first")), OperatorOrder.OrderVerb.ABORT);
        assertThat(driver("a-w-0")).isEqualTo(UP);
    }

    @Test
    void aMachineThatIsSkippedAtItsFirstAttemptHasNotFailed() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("a-w-0")), OperatorOrder.OrderVerb.SKIP);
        scene.state.settle(scene.gates, scene.now);
        assertThat(scene.state.failed(scene.state.rollout(UP))).isZero();
    }

    @Test
    void aControlPlaneOneOfWhoseMachinesIsAtWorkWithoutARowKeepsItsPartOfTheBudget() {
        scene.cluster("k", 2, 0);
        scene.cluster("w", 0, 1);
        scene.campaign(CampaignBuilder.named("up").budget(2).build());
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
        scene.step("k-cp-0", AttemptStep.STARTING);
        gone("k-cp-0");
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
        assertThat(scene.closed("w-w-0")).containsExactly(GateLabel.BUDGET);
        assertThat(scene.explain("w-w-0").closed().get(0).have()).isEqualTo("3");
    }

    @Test
    void aControlPlaneThatWasOnlyLookedAtIsNotHalfDone() {
        scene.cluster("k", 2, 0);
        scene.campaign(CampaignBuilder.named("up")
                .deadline(scene.now.plus(Duration.ofMinutes(5)))
                .build());
        scene.pass(Duration.ofMinutes(5));
        scene.report("k-cp-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("k-cp-1")).containsExactly(GateLabel.CAMPAIGN);
    }

    @Test
    void aControlPlaneOneOfWhoseMachinesHadFailedBeforeItWasFoundDoneIsHalfDone() {
        scene.cluster("k", 2, 0);
        scene.arrive(MachineBuilder.like(scene.row("k-cp-1")).onHold().build());
        scene.campaign(CampaignBuilder.named("up")
                .deadline(scene.now.plus(Duration.ofMinutes(20)))
                .build());
        scene.step("k-cp-0", AttemptStep.STARTING);
        scene.fail("k-cp-0");
        scene.pass(Duration.ofMinutes(2));
        scene.step("k-cp-0", AttemptStep.STARTING);
        scene.pass(Duration.ofMinutes(18));
        scene.arrive(MachineBuilder.like(scene.row("k-cp-1")).build());
        scene.report("k-cp-0", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UNCHANGED, "3421", "v1.33.2"));
        assertThat(scene.inFlight()).containsExactly("k-cp-1");
    }

    @Test
    void amongClustersOfOneChainTheSizeDoesNotCount() {
        assertThat(first(1, 2, 3)).isEqualTo(first(2, 1, 3));
        assertThat(first(3, 2, 2)).isEqualTo("x");
        assertThat(first(2, 3, 2)).isEqualTo("y");
    }

    /** The cluster in which the first machine is started: of two with so many workers, so many of which may be away. */
    private static String first(int ofX, int ofY, int width) {
        Scene fresh = Scene.open();
        fresh.cap(1);
        fresh.cluster("x", 0, ofX);
        fresh.cluster("y", 0, ofY);
        fresh.campaign(CampaignBuilder.named("up").maxUnavailable(width).build());
        return fresh.inFlight().get(0).substring(0, 1);
    }

    @Test
    void whatNobodyNeedsAnyMoreIsForgottenInTheOrderOfKeys() {
        scene.cluster("c", 0, 5);
        scene.campaign(CampaignBuilder.named("up").build());
        for (String name : List.of("c-w-2", "c-w-0", "c-w-3", "c-w-1")) {
            scene.failForGood(name);
            gone(name);
        }
        int before = scene.decisions.size();
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(scene.decisions.subList(before, scene.decisions.size()))
                .filteredOn(decision -> decision.event() == Event.INVENTORY_CHANGED)
                .extracting(decision -> String.valueOf(decision.subject()))
                .containsExactly(
                        "north/default/c-w-0", "north/default/c-w-1", "north/default/c-w-2", "north/default/c-w-3");
    }

    @Test
    void aRetryOrderThatIsOlderThanAllOfAClustersQuarantinesLiftsNone() {
        scene.cluster("a", 0, 4);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
        scene.failForGood("a-w-3");
        scene.pass(Duration.ofHours(1));
        assertThat(scene.outcome("a-w-3")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void aRetryOrderLiftsNothingInACampaignThatIsOver() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("a-w-0");
        scene.waited(() -> {
            scene.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
            scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        });
        assertThat(scene.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void aMachineWhoseRowCannotBeReadIsRetriedWhenItCanBe() {
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("a-w-0");
        var row = scene.row("a-w-0");
        scene.poison("flotilla.inventory.north", "machine/default/a-w-0");
        scene.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
        assertThat(scene.outcome("a-w-0")).isEqualTo(MachineOutcome.QUARANTINED);
        scene.arrive(row);
        assertThat(scene.inFlight()).contains("a-w-0");
    }

    @Test
    void whatFailedIsTriedAgainBeforeOthersOfItsClusterAreStarted() {
        scene.cap(1);
        scene.cluster("a", 0, 3);
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).onHold().build());
        scene.campaign(CampaignBuilder.named("up").build());
        scene.fail("a-w-1");
        assertThat(scene.inFlight()).containsExactly("a-w-2");
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).build());
        scene.pass(Duration.ofMinutes(2));
        scene.succeed("a-w-2");
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }

    @Test
    void whatFailedIsTriedAgainBeforeALongerChainGoesOn() {
        scene.cap(1);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        scene.cluster("b", 0, 9);
        scene.fail("a-w-0");
        assertThat(scene.inFlight()).containsExactly("b-w-0");
        scene.pass(Duration.ofMinutes(2));
        scene.succeed("b-w-0");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aControlPlaneIsFinishedBeforeALongerChainGoesOn() {
        scene.cap(1);
        scene.cluster("k", 2, 0);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        scene.cluster("b", 0, 9);
        scene.succeed("k-cp-0");
        assertThat(scene.inFlight()).containsExactly("k-cp-1");
    }

    @Test
    void aControlPlaneThatAnAnnotationHasBegunIsFinishedOutsideItsWindow() {
        TimeZoneName zone = new TimeZoneName("Etc/UTC");
        scene.take(new Input.ZoneRead(new TimeZoneRules(zone, 0, List.of()), scene.now));
        UpgradePolicy.IntentRule rule = new UpgradePolicy.IntentRule(
                new CountOrPercent.Count(1),
                RetryRule.DEFAULT,
                List.of(),
                null,
                null,
                Duration.ZERO,
                List.of(new MaintenanceWindow(List.of(), null, 0, 60, zone)),
                null);
        scene.arrive(
                Scene.policy(FleetScope.FLEET, null).at(new UpgradePolicy.MaintenanceCalendar(zone, List.of(), Duration.ofMinutes(1)), rule));
        scene.cluster("k", 2, 1);
        scene.ask(Scene.controlPlane("k"), "revision=4");
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
        scene.step("k-cp-0", AttemptStep.STARTING);
        scene.pass(Duration.ofMinutes(59));
        scene.ask(Scene.deployment("k"), "revision=4");
        scene.pass(Duration.ofMinutes(1));
        scene.succeed("k-cp-0");
        assertThat(scene.inFlight()).containsExactly("k-cp-1");
        scene.succeed("k-cp-1");
        assertThat(scene.inFlight()).as("its workers keep the window").isEmpty();
    }

    @Test
    void aMachineThatACampaignSelectsNoMoreAfterAnEditIsNotStarted() {
        scene.cap(1);
        ring("a", 2, "east");
        ring("b", 1, "west");
        scene.arrive(MachineBuilder.like(scene.row("a-w-1")).onHold().build());
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.campaign(CampaignBuilder.named("up").select(ring("east")).build());
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void aCampaignWaitsForAnotherNoMoreAfterAnEditByWhichTheyShareNoMachines() {
        ring("a", 1, "east");
        ring("b", 1, "west");
        scene.campaign(CampaignBuilder.named("first").select(ring("east")).build());
        scene.campaign(CampaignBuilder.named("up").target("revision=7").build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.campaign(CampaignBuilder.named("up")
                .target("revision=7")
                .select(ring("west"))
                .build());
        assertThat(scene.inFlight()).containsExactlyInAnyOrder("a-w-0", "b-w-0");
    }

    @Test
    void theRevisionThatAMachineHadIsKeptWhereItsCampaignTellsKindsApart() {
        scene.cluster("a", 0, 1);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.entry("a-w-0").fromRevision()).isNull();
        scene.succeed("a-w-0");
        scene.succeed("b-w-0");
        scene.campaign(CampaignBuilder.named("again")
                .target("revision=7")
                .cohorts(new FailureCohortRule(List.of(), 3, 50))
                .build());
        assertThat(scene.entry("a-w-0").fromRevision()).isEqualTo("3000");
    }
}
