package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.OperatorOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster health gate and its explanations. */
class ClusterHealthGateTest {
    private static final ClusterKey A = new ClusterKey(FleetScenario.SITE, "default", "a");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void replicas(int controlPlanes) {
        fleetScenario.receive(new ClusterRow(A, "uid-a", Labels.NONE, false, false, null, controlPlanes, 0));
    }

    private void campaign() {
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void aControlPlaneWaitsWhileItHasTooManyMembers() {
        fleetScenario.cluster("a", 3, 0);
        replicas(2);
        campaign();
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.explain("a-cp-0").nextStep())
                .contains("has 3 control-plane machines and should have 2.");
        replicas(3);
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inventory", "status"})
    void aMemberWithAnUnreadableRowCountsAsNotReady(String table) {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.makeUnreadable("flotilla." + table + ".north", "machine/default/a-cp-2");
        campaign();
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-cp-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(fleetScenario.explain("a-cp-0").nextStep())
                .contains("Other control-plane machines", "are not ready: 1.");
    }

    @Test
    void aMemberThatIsNotReadyMayStartWhenAllOthersAreReady() {
        fleetScenario.cluster("a", 3, 0);
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-cp-1")).notReady().build());
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-cp-2")).notReady().build());
        campaign();
        assertThat(fleetScenario.explain("a-cp-0").nextStep()).contains("are not ready: 2.");
        assertThat(fleetScenario.explain("a-cp-1").nextStep()).contains("are not ready: 1.");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-cp-2")).build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
    }

    @Test
    void aWorkerWaitsWhileAControlPlaneMachineIsInFlightWithoutControlPlaneFirst() {
        fleetScenario.cluster("a", 1, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").workersAnyTime().build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-0");
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .contains("a control-plane machine (north/default/a-cp-0) is in flight");
        fleetScenario.succeed("a-cp-0");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aWorkerThatAnotherControllerUpgradesIsUnavailable() {
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0"))
                .doing(ForeignActivity.FOREIGN)
                .build());
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(fleetScenario.explain("a-w-1").nextStep())
                .contains("With this start 2 workers", "maxUnavailable is 1.");
        // It is itself the one that is unavailable: counted once, there is room for it.
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MACHINE_NOT_ELIGIBLE);
    }

    @Test
    void explainsWhetherTheClusterIsPausedOrOnHold() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receive(new ClusterRow(A, "uid-a", Labels.NONE, true, false, null, 0, 1));
        campaign();
        assertThat(fleetScenario.explain("a-w-0").nextStep()).isEqualTo("Cluster north/default/a is paused.");
        fleetScenario.receive(new ClusterRow(A, "uid-a", Labels.NONE, false, true, null, 0, 1));
        assertThat(fleetScenario.explain("a-w-0").nextStep()).isEqualTo("Cluster north/default/a is on hold.");
        fleetScenario.receive(new ClusterRow(A, "uid-a", Labels.NONE, false, false, null, 0, 1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void nothingStartsInAClusterWithoutAReadableRow() {
        fleetScenario.receive(
                MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-0").build());
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=9");
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(fleetScenario.explain("a-w-0").nextStep())
                .isEqualTo("Cluster north/default/a has no readable inventory row: see flotilla rejected list.");
        fleetScenario.cluster("a", 0, 0);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aStrictCampaignStopsInAClusterWithAQuarantinedMachine() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").strict().build());
        fleetScenario.quarantine("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(fleetScenario.explain("a-w-1").nextStep())
                .contains("Cluster north/default/a has 1 quarantined machine, and its campaign is strict");
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(new CampaignName("up"), FleetScenario.machine("a-w-0")),
                OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-1");
    }
}
