package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is known of a machine outlives its inventory row, which may be back at once: a filter, a stale cache, a move. */
class GoneMachineTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @Test
    void aRefreshHoldsItsSlotAndItsCampaignsCapUntilItEnds() {
        scene.cap(1);
        scene.cluster("c", 0, 3);
        scene.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(1))
                .maxUnavailable(3)
                .build());
        UpgradeAttempt refreshing = refreshing("c-w-0");
        gone("c-w-0");
        assertThat(scene.state.inFlight()).isOne();
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.attempt("c-w-0")).isEqualTo(refreshing);

        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-1");
    }

    @Test
    void aRefreshOfWhichNothingIsHeardIsLostInTheEnd() {
        scene.cap(1);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        refreshing("c-w-0");
        gone("c-w-0");
        scene.pass(Duration.ofHours(12));
        scene.pass(Duration.ofHours(3));
        assertThat(scene.inFlight()).containsExactly("c-w-1");
        assertThat(scene.status("c-w-0").lastFailure().reason()).isEqualTo(FailureReason.NO_REPORT);
    }

    @Test
    void aQuarantineUsesTheBudgetAndIsFoundAgain() {
        scene.cluster("c", 0, 3);
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        scene.failForGood("c-w-0");
        assertThat(scene.inFlight()).isEmpty();

        gone("c-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c-w-1")).contains(GateLabel.BUDGET);
        back("c-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.entry("c-w-0").outcome()).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void aSkippedMachineThatComesBackIsStillSkipped() {
        scene.cap(1);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("c-w-1")), OperatorOrder.OrderVerb.SKIP);
        gone("c-w-1");
        back("c-w-1");
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void anOrderSkipsWhatFailedAndIsGone() {
        scene.cluster("c", 0, 3);
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        scene.failForGood("c-w-0");
        gone("c-w-0");
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void theCampaignDoesNotWaitForItAndForgetsItInTheEnd() {
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("c-w-0");
        gone("c-w-0");
        assertThat(scene.status("c-w-0")).isNotNull();
        scene.succeed("c-w-1");
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(scene.state.machine(Scene.machine("c-w-0"))).isNull();
    }

    @Test
    void isForgottenAsSoonAsItsClustersIntentIsAnother() {
        ClusterKey cluster = scene.cluster("c", 0, 1);
        scene.ask(cluster, "channel=1.33-classic/stable");
        scene.succeed("c-w-0");
        gone("c-w-0");
        assertThat(scene.status("c-w-0").entries()).hasSize(1);
        scene.pass(Duration.ofMinutes(1));
        scene.ask(cluster, "channel=1.34-classic/stable");
        assertThat(scene.state.machine(Scene.machine("c-w-0"))).isNull();
    }

    @Test
    void anotherMachineOfTheNameIsANewOne() {
        scene.cap(1);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.failForGood("c-w-0");
        gone("c-w-0");
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .build());
        scene.succeed("c-w-1");
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        assertThat(scene.entry("c-w-0").failedAttempts()).isZero();
    }

    @Test
    void aMachineThatWasBeingDeletedIsGoneWithItsRow() {
        scene.cap(1);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").build());
        refreshing("c-w-0");
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0").deleting().build());
        gone("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-1");
        assertThat(scene.events()).contains(Event.ATTEMPT_VANISHED);
    }

    @Test
    void aRefreshIsOneOfTheMachinesThatItsClusterMayMiss() {
        scene.cluster("c", 0, 4);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("c-w-0");
        gone("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        assertThat(scene.closed("c-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        back("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        gone("c-w-0");
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-1");
    }

    @Test
    void aRefreshCountsInItsClusterAlsoForALeaderThatHasOnlyReadTheRows() {
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("c-w-0");
        gone("c-w-0");
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        restored.settle(scene.gates, scene.now);
        assertThat(restored.cluster(new ClusterKey(Scene.SITE, "default", "c")).workersUnavailable())
                .isOne();
        assertThat(restored.cluster(new ClusterKey(Scene.SITE, "default", "c")).inFlight())
                .isOne();
        assertThat(restored.inFlight()).isOne();
    }

    @Test
    void aRefreshCountsInTheClusterThatItsMachineHasLeft() {
        scene.cluster("c", 0, 4);
        scene.cluster("other", 0, 0);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("c-w-0");
        scene.arrive(MachineBuilder.of(Scene.SITE, "other", "c-w-0").build());
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-1");
    }

    @Test
    void noWorkerStartsBesideTheOnlyControlPlaneMachineWhoseRowIsGone() {
        scene.cluster("k", 1, 2);
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("k-cp-0");
        gone("k-cp-0");
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
        assertThat(scene.closed("k-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
    }

    @Test
    void noSecondControlPlaneMachineStartsWhenTheReplicasAreLoweredUnderARefresh() {
        scene.cluster("k", 3, 0);
        scene.campaign(CampaignBuilder.named("up").build());
        refreshing("k-cp-0");
        gone("k-cp-0");
        scene.arrive(new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "k"), "uid-k", Labels.NONE, false, false, null, 2, 0));
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
        assertThat(scene.closed("k-cp-1")).containsExactly(GateLabel.CLUSTER_ORDER);
    }

    @Test
    void noSecondControlPlaneMachineStartsWhenTheFirstIsCalledAWorkerUnderItsRefresh() {
        scene.cluster("k", 3, 0);
        scene.campaign(CampaignBuilder.named("up").build());
        refreshing("k-cp-0");
        scene.arrive(new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "k"), "uid-k", Labels.NONE, false, false, null, 2, 1));
        scene.arrive(
                MachineBuilder.of(Scene.SITE, "k", "k-cp-0").role(MachineRole.WORKER).build());
        assertThat(scene.inFlight()).containsExactly("k-cp-0");
    }

    private UpgradeAttempt refreshing(String machine) {
        scene.step(machine, AttemptStep.STARTING);
        scene.step(machine, AttemptStep.REFRESHING);
        return scene.attempt(machine);
    }

    private void gone(String machine) {
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine(machine))));
    }

    private void back(String machine) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", machine).build());
    }
}
