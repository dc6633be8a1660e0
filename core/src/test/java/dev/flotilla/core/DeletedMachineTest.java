package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The status of a machine outlives its inventory row, which may be back at once: a filter, a stale cache, a move. */
class DeletedMachineTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void aRefreshKeepsItsSlotUntilItEnds() {
        fleetScenario.cap(1);
        fleetScenario.cluster("c", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .inFlight(new CountOrPercent.Count(1))
                .maxUnavailable(3)
                .build());
        UpgradeAttempt refreshing = refreshing("c-w-0");
        delete("c-w-0");
        assertThat(fleetScenario.state.inFlight()).isOne();
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.attempt("c-w-0")).isEqualTo(refreshing);

        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-1");
    }

    @Test
    void aRefreshWithoutReportsIsLost() {
        fleetScenario.cap(1);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        refreshing("c-w-0");
        delete("c-w-0");
        fleetScenario.advance(Duration.ofHours(12));
        fleetScenario.advance(Duration.ofHours(3));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-1");
        assertThat(fleetScenario.status("c-w-0").lastFailure().reason()).isEqualTo(FailureReason.NO_REPORT);
    }

    @Test
    void aQuarantineUsesTheBudgetAndStaysWhenTheMachineIsBack() {
        fleetScenario.cluster("c", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        fleetScenario.quarantine("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();

        delete("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("c-w-1")).contains(GateLabel.FAILURE_BUDGET);
        bringBack("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.entry("c-w-0").outcome()).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void aSkippedMachineThatIsBackIsStillSkipped() {
        fleetScenario.cap(1);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("c-w-1")), OperatorOrder.OrderVerb.SKIP);
        delete("c-w-1");
        bringBack("c-w-1");
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @Test
    void anOrderSkipsAFailedDeletedMachine() {
        fleetScenario.cluster("c", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        fleetScenario.quarantine("c-w-0");
        delete("c-w-0");
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void theCampaignCompletesAndThenRemovesItsStatus() {
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("c-w-0");
        delete("c-w-0");
        assertThat(fleetScenario.status("c-w-0")).isNotNull();
        fleetScenario.succeed("c-w-1");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(fleetScenario.state.machine(FleetScenario.machine("c-w-0"))).isNull();
    }

    @Test
    void itsStatusIsRemovedWhenItsClustersIntentChanges() {
        ClusterKey cluster = fleetScenario.cluster("c", 0, 1);
        fleetScenario.requestUpgrade(cluster, "channel=1.33-classic/stable");
        fleetScenario.succeed("c-w-0");
        delete("c-w-0");
        assertThat(fleetScenario.status("c-w-0").entries()).hasSize(1);
        fleetScenario.advance(Duration.ofMinutes(1));
        fleetScenario.requestUpgrade(cluster, "channel=1.34-classic/stable");
        assertThat(fleetScenario.state.machine(FleetScenario.machine("c-w-0"))).isNull();
    }

    @Test
    void anotherMachineOfTheNameIsNew() {
        fleetScenario.cap(1);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        fleetScenario.quarantine("c-w-0");
        delete("c-w-0");
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .build());
        fleetScenario.succeed("c-w-1");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        assertThat(fleetScenario.entry("c-w-0").failedAttempts()).isZero();
    }

    @Test
    void aDeletingMachineIsRemovedWithItsRow() {
        fleetScenario.cap(1);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        refreshing("c-w-0");
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .deleting()
                .build());
        delete("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-1");
        assertThat(fleetScenario.events()).contains(DecisionEvent.ATTEMPT_VANISHED);
    }

    @Test
    void aRefreshCountsAsUnavailableInItsCluster() {
        fleetScenario.cluster("c", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("c-w-0");
        delete("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        assertThat(fleetScenario.closed("c-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        bringBack("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        delete("c-w-0");
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-1");
    }

    @Test
    void aRefreshCountsInItsClusterAfterARestore() {
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("c-w-0");
        delete("c-w-0");
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        restored.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(restored.cluster(new ClusterKey(FleetScenario.SITE, "default", "c"))
                        .workersUnavailable())
                .isOne();
        assertThat(restored.cluster(new ClusterKey(FleetScenario.SITE, "default", "c"))
                        .inFlight())
                .isOne();
        assertThat(restored.inFlight()).isOne();
    }

    @Test
    void aRefreshCountsInTheFormerClusterOfItsMachine() {
        fleetScenario.cluster("c", 0, 4);
        fleetScenario.cluster("other", 0, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("c-w-0");
        fleetScenario.receive(
                MachineRowBuilder.of(FleetScenario.SITE, "other", "c-w-0").build());
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-1");
    }

    @Test
    void noWorkerStartsBesideADeletedControlPlaneMachineInFlight() {
        fleetScenario.cluster("k", 1, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        refreshing("k-cp-0");
        delete("k-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        assertThat(fleetScenario.closed("k-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
    }

    @Test
    void noSecondControlPlaneMachineStartsWhenReplicasAreLoweredDuringARefresh() {
        fleetScenario.cluster("k", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        refreshing("k-cp-0");
        delete("k-cp-0");
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "k"), "uid-k", Labels.NONE, false, false, null, 2, 0));
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
        assertThat(fleetScenario.closed("k-cp-1")).containsExactly(GateLabel.CLUSTER_ORDER);
    }

    @Test
    void noSecondControlPlaneMachineStartsWhenTheFirstBecomesAWorkerDuringItsRefresh() {
        fleetScenario.cluster("k", 3, 0);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        refreshing("k-cp-0");
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "k"), "uid-k", Labels.NONE, false, false, null, 2, 1));
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "k", "k-cp-0")
                .role(MachineRole.WORKER)
                .build());
        assertThat(fleetScenario.inFlight()).containsExactly("k-cp-0");
    }

    private UpgradeAttempt refreshing(String machine) {
        fleetScenario.step(machine, AttemptStep.STARTING);
        fleetScenario.step(machine, AttemptStep.REFRESHING);
        return fleetScenario.attempt(machine);
    }

    private void delete(String machine) {
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine(machine))));
    }

    private void bringBack(String machine) {
        fleetScenario.receive(
                MachineRowBuilder.of(FleetScenario.SITE, "c", machine).build());
    }
}
