package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting a failed machine does not reduce the use of its campaign's failure budget. */
class DeletedMachineFailuresTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @Test
    void aFailedMachineThatIsDeletedUsesTheBudget() {
        begin(1);
        delete("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("c-w-1")).contains(GateLabel.FAILURE_BUDGET);
        assertThat(fleetScenario.explain("c-w-1").nextStep()).contains("1 of them deleted since");
    }

    @Test
    void aMachineDeletedDuringItsRetryUsesTheBudget() {
        fleetScenario.cluster("c", 0, 3);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        fleetScenario.fail("c-w-0");
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        delete("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.events()).contains(DecisionEvent.ATTEMPT_VANISHED);
        assertThat(fleetScenario.closed("c-w-1")).contains(GateLabel.FAILURE_BUDGET);
    }

    @Test
    void aReplacedMachineUsesTheBudget() {
        begin(1);
        replace("c-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isOne();
        assertThat(fleetScenario.explain("c-w-0").nextStep()).contains("1 of them deleted since");
    }

    @Test
    void aMachineDeletedAndThenReplacedUsesTheBudget() {
        begin(2);
        delete("c-w-0");
        replace("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isOne();
        assertThat(failed()).isOne();
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aRestoredLeaderCountsTheSame() {
        begin(3);
        replace("c-w-0");
        delete("c-w-1");
        FleetState restored = new FleetState();
        fleetScenario.rows.values().forEach(restored::put);
        restored.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(restored.failed(restored.rollout(UP))).isEqualTo(failed());
        assertThat(restored.hash()).isEqualTo(fleetScenario.state.hash());
    }

    @Test
    void aMachineThatIsBackIsCountedOnce() {
        begin(2);
        delete("c-w-0");
        assertThat(failed()).isOne();
        fleetScenario.receive(
                MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0").build());
        assertThat(failed()).isOne();
        assertThat(fleetScenario.entry("c-w-0").outcome()).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void aBreachedBudgetPausesTheCampaignAndNamesTheDeletedMachines() {
        begin(2);
        delete("c-w-0");
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        fleetScenario.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(fleetScenario.campaignStatus("up").pauseReason())
                .isEqualTo("2 machines have failed, 1 of them deleted since, and the failure budget is 1");
    }

    @Test
    void aSkippedMachineThatIsDeletedIsNoFailure() {
        begin(1);
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        replace("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isZero();
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void theCampaignCompletesWithoutADeletedMachine() {
        begin(1);
        delete("c-w-0");
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(UP, FleetScenario.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        for (int i = 0; i < 3; i++) {
            fleetScenario.succeed(fleetScenario.inFlight().get(0));
        }
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(fleetScenario.state.machine(FleetScenario.machine("c-w-0"))).isNull();
    }

    /** One of four machines is quarantined. */
    private void begin(int budget) {
        fleetScenario.cluster("c", 0, 4);
        fleetScenario.campaign(CampaignBuilder.named("up").budget(budget).build());
        fleetScenario.quarantine("c-w-0");
    }

    private int failed() {
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        return fleetScenario.state.failed(fleetScenario.state.rollout(UP));
    }

    private void delete(String machine) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", machine)
                .deleting()
                .build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine(machine))));
    }

    private void replace(String machine) {
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "c", machine)
                .uid(FleetScenario.uidOf("again"))
                .build());
    }

    @Test
    void countsDeletedAndReplacedMachines() {
        begin(3);
        fleetScenario.quarantine("c-w-1");
        delete("c-w-0");
        replace("c-w-1");
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        assertThat(fleetScenario.state.rollout(UP).failedAndDeleted()).isEqualTo(2);
    }
}
