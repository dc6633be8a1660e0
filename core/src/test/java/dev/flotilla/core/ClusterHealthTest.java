package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.OperatorOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a cluster has to be well before one of its machines may go, and what is said where it is not. */
class ClusterHealthTest {
    private static final ClusterKey A = new ClusterKey(Scene.SITE, "default", "a");

    private final Scene scene = Scene.open();

    private void replicas(int controlPlanes) {
        scene.arrive(new ClusterRow(A, "uid-a", Labels.NONE, false, false, null, controlPlanes, 0));
    }

    private void campaign() {
        scene.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void aControlPlaneWaitsWhileOneMemberTooManyIsThere() {
        scene.cluster("a", 3, 0);
        replicas(2);
        campaign();
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.explain("a-cp-0").next()).contains("has 3 control-plane machines and should have 2.");
        replicas(3);
        assertThat(scene.inFlight()).containsExactly("a-cp-0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inventory", "status"})
    void aMemberOfWhichARowCannotBeReadCountsAsNotReady(String table) {
        scene.cluster("a", 3, 0);
        scene.poison("flotilla." + table + ".north", "machine/default/a-cp-2");
        campaign();
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-cp-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(scene.explain("a-cp-0").next()).contains("1 other control-plane machines", "are not ready.");
    }

    @Test
    void aMemberThatIsNotReadyMayGoWhereAllOthersAre() {
        scene.cluster("a", 3, 0);
        scene.arrive(MachineBuilder.like(scene.row("a-cp-1")).notReady().build());
        scene.arrive(MachineBuilder.like(scene.row("a-cp-2")).notReady().build());
        campaign();
        assertThat(scene.explain("a-cp-0").next()).contains("2 other control-plane machines");
        assertThat(scene.explain("a-cp-1").next()).contains("1 other control-plane machines");
        scene.arrive(MachineBuilder.like(scene.row("a-cp-2")).build());
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
    }

    @Test
    void aWorkerWaitsWhileAControlPlaneMachineIsAtWorkEvenWhereWorkersMayGoAnyTime() {
        scene.cluster("a", 1, 1);
        scene.campaign(CampaignBuilder.named("up").workersAnyTime().build());
        assertThat(scene.inFlight()).containsExactly("a-cp-0");
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(scene.explain("a-w-0").next()).contains("a control-plane machine is in flight");
        scene.succeed("a-cp-0");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aWorkerThatAnotherControllerUpgradesIsUnavailable() {
        scene.cluster("a", 0, 2);
        scene.arrive(
                MachineBuilder.like(scene.row("a-w-0")).doing(ForeignActivity.FOREIGN).build());
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(1).build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(scene.explain("a-w-1").next()).contains("With this one 2 workers", "and 1 may be.");
        // It is itself the one that is unavailable: counted once, there is room for it.
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.MACHINE);
    }

    @Test
    void itSaysWhichOfPausedAndOnHoldTheClusterIs() {
        scene.cluster("a", 0, 1);
        scene.arrive(new ClusterRow(A, "uid-a", Labels.NONE, true, false, null, 0, 1));
        campaign();
        assertThat(scene.explain("a-w-0").next()).isEqualTo("Cluster north/default/a is paused.");
        scene.arrive(new ClusterRow(A, "uid-a", Labels.NONE, false, true, null, 0, 1));
        assertThat(scene.explain("a-w-0").next()).isEqualTo("Cluster north/default/a is on hold.");
        scene.arrive(new ClusterRow(A, "uid-a", Labels.NONE, false, false, null, 0, 1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void nothingStartsInAClusterOfWhichNothingReadableIsKnown() {
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", "a-w-0").build());
        scene.ask(Scene.machine("a-w-0"), "revision=9");
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.CLUSTER_HEALTH);
        assertThat(scene.explain("a-w-0").next()).isEqualTo("Nothing readable is known of cluster north/default/a.");
        scene.cluster("a", 0, 0);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aStrictCampaignStopsInAClusterWhereOneMachineWasGivenUpOn() {
        scene.cap(1);
        scene.cluster("a", 0, 2);
        scene.campaign(CampaignBuilder.named("up").strict().build());
        scene.failForGood("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_ORDER);
        assertThat(scene.explain("a-w-1").next()).contains("1 machines of cluster north/default/a were given up on");
        scene.order(new OperatorOrderKey.SkipMachine(new CampaignName("up"), Scene.machine("a-w-0")), OperatorOrder.OrderVerb.SKIP);
        assertThat(scene.inFlight()).containsExactly("a-w-1");
    }
}
