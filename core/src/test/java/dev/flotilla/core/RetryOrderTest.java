package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutEntry;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A retry order lifts only the earlier quarantines of its own campaign. */
class RetryOrderTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void aCampaign() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.cluster("still-at-work", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void anOldOrderDoesNotLiftALaterQuarantineAfterAnotherRolloutsSuccess() {
        fleetScenario.quarantine("a-w-0");
        retry();
        fleetScenario.quarantine("a-w-2");
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-1");
        fleetScenario.advance(Duration.ofDays(1));
        assertThat(fleetScenario.outcome("a-w-2")).isEqualTo(MachineOutcome.QUARANTINED);

        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-2"), "revision=90");
        fleetScenario.succeed("a-w-2");
        assertThat(ofCampaign("a-w-2").outcome()).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(fleetScenario.inFlight()).doesNotContain("a-w-2");
    }

    @Test
    void doesNotLiftTheQuarantineOfAnAttemptThatWasInFlight() {
        retry();
        fleetScenario.quarantine("a-w-1");
        fleetScenario.advance(Duration.ofDays(1));
        assertThat(fleetScenario.outcome("a-w-1")).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(fleetScenario.events()).doesNotContain(DecisionEvent.MACHINE_REQUEUED);
    }

    @Test
    void aLaterFailureForAnotherRolloutDoesNotHideTheQuarantine() {
        fleetScenario.quarantine("a-w-1");
        fleetScenario.succeed("a-w-0");
        fleetScenario.succeed("a-w-2");
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), "revision=90");
        fleetScenario.quarantine("a-w-1");
        fleetScenario.removeIntent(FleetScenario.machine("a-w-1"));
        retry();
        assertThat(ofCampaign("a-w-1").outcome()).isEqualTo(MachineOutcome.OPEN);
        assertThat(fleetScenario.inFlight()).contains("a-w-1");
    }

    private void retry() {
        fleetScenario.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
    }

    private RolloutEntry ofCampaign(String machine) {
        MachineStatus status = fleetScenario.status(machine);
        assertThat(status).isNotNull();
        return status.entries().stream()
                .filter(entry -> !entry.wave().isEmpty())
                .findFirst()
                .orElseThrow();
    }
}
