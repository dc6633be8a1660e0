package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Machine with a new uid frees the slot of an attempt only if it shows another node. */
class RecreatedMachineTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void oneAtATime() {
        fleetScenario.cap(1);
        fleetScenario.cluster("c", 0, 2);
        fleetScenario.campaign(CampaignBuilder.named("up").attempts(1).build());
    }

    @Test
    void aRefreshOnTheSameNodeKeepsItsSlotUntilItsWorkerReports() {
        UpgradeAttempt refreshing = refreshing();
        recreated("provider://" + FleetScenario.machine("c-w-0"));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        assertThat(fleetScenario.attempt("c-w-0")).isEqualTo(refreshing);
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(fleetScenario.events())
                .contains(DecisionEvent.ATTEMPT_SUCCEEDED)
                .doesNotContain(DecisionEvent.ATTEMPT_VANISHED);
    }

    @ParameterizedTest
    @CsvSource({"provider://another, gone", "'', stays", ", stays"})
    void onlyAnotherNodeEndsTheAttempt(@Nullable String provider, String then) {
        refreshing();
        recreated(provider == null || provider.isEmpty() ? null : provider);
        assertThat(fleetScenario.events().contains(DecisionEvent.ATTEMPT_VANISHED))
                .isEqualTo(then.equals("gone"));
    }

    @Test
    void aRowThatWasMissingTellsNothingAboutTheNode() {
        refreshing();
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        recreated("provider://another");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anAttemptThatHasNotCalledIsCancelled() {
        recreated("provider://" + FleetScenario.machine("c-w-0"));
        assertThat(fleetScenario.command("c-w-0")).isInstanceOf(WorkerCommand.CancelUpgrade.class);
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anAttemptWithoutReportsIsLostAndCounts() {
        refreshing();
        recreated("provider://" + FleetScenario.machine("c-w-0"));
        fleetScenario.advance(Duration.ofHours(12));
        fleetScenario.advance(Duration.ofHours(3));
        assertThat(fleetScenario.decisions)
                .anyMatch(decision -> decision.event() == DecisionEvent.MACHINE_QUARANTINED
                        && decision.reason().equals(FailureReason.NO_REPORT.label()));
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isOne();
        assertThat(fleetScenario.state.rollout(new CampaignName("up")).failed()).isOne();
    }

    /**
     * Only the deletion of the machine itself says that its node is deleted. A machine with another uid may be on
     * another node.
     */
    @Test
    void deletingTheNewMachineDoesNotEndTheOldOnesAttempt() {
        UpgradeAttempt refreshing = refreshing();
        fleetScenario.receive(again(null).deleting().build());
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("c-w-0"))));
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-0");
        assertThat(fleetScenario.attempt("c-w-0")).isEqualTo(refreshing);
        fleetScenario.succeed("c-w-0");
        assertThat(fleetScenario.inFlight()).containsExactly("c-w-1");
        assertThat(fleetScenario.events())
                .contains(DecisionEvent.ATTEMPT_SUCCEEDED)
                .doesNotContain(DecisionEvent.ATTEMPT_VANISHED);
    }

    /** The status row belongs to the old machine until then, and is removed with it. */
    @Test
    void theNewMachineIsSkippedOnlyWhenTheOldAttemptIsOver() {
        refreshing();
        recreated("provider://" + FleetScenario.machine("c-w-0"));
        OperatorOrderKey skip =
                new OperatorOrderKey.SkipMachine(new CampaignName("up"), FleetScenario.machine("c-w-0"));
        fleetScenario.order(skip, OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.onlyRejection().problem())
                .startsWith("an earlier machine of this name still has an open attempt");
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.MACHINE_SKIPPED);
        fleetScenario.quarantine("c-w-0");
        fleetScenario.order(skip, OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.outcome("c-w-0")).isEqualTo(MachineOutcome.SKIPPED);
        assertThat(fleetScenario.rejected()).isEmpty();
    }

    @Test
    void theNewMachineStartsWhenTheOldAttemptIsOver() {
        refreshing();
        recreated("provider://" + FleetScenario.machine("c-w-0"));
        fleetScenario.quarantine("c-w-0");
        assertThat(fleetScenario.campaignStatus("up").failuresOfDeletedMachines())
                .isOne();
        assertThat(fleetScenario.inFlight()).hasSize(1);
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.status("c-w-0").uid()).isEqualTo(FleetScenario.uidOf("again"));
    }

    private UpgradeAttempt refreshing() {
        fleetScenario.step("c-w-0", AttemptStep.STARTING);
        fleetScenario.step("c-w-0", AttemptStep.REFRESHING);
        return fleetScenario.attempt("c-w-0");
    }

    private void recreated(@Nullable String provider) {
        fleetScenario.receive(again(provider).build());
    }

    private static MachineRowBuilder again(@Nullable String provider) {
        return MachineRowBuilder.of(FleetScenario.SITE, "c", "c-w-0")
                .uid(FleetScenario.uidOf("again"))
                .providerId(provider);
    }
}
