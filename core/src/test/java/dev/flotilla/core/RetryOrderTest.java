package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A retry order lifts the quarantines that its own campaign had decided before it, and no others. */
class RetryOrderTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @BeforeEach
    void aCampaign() {
        scene.cluster("a", 0, 3);
        scene.cluster("still-at-work", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
    }

    @Test
    void anOldOneDoesNotLiftALaterQuarantineAfterAnotherRolloutsSuccess() {
        scene.failForGood("a-w-0");
        retry();
        scene.failForGood("a-w-2");
        scene.succeed("a-w-0");
        scene.succeed("a-w-1");
        scene.pass(Duration.ofDays(1));
        assertThat(scene.outcome("a-w-2")).isEqualTo(MachineOutcome.QUARANTINED);

        scene.ask(Scene.machine("a-w-2"), "revision=90");
        scene.succeed("a-w-2");
        assertThat(ofCampaign("a-w-2").outcome()).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(scene.inFlight()).doesNotContain("a-w-2");
    }

    @Test
    void itDoesNotLiftTheQuarantineOfAnAttemptThatWasInFlightThen() {
        retry();
        scene.failForGood("a-w-1");
        scene.pass(Duration.ofDays(1));
        assertThat(scene.outcome("a-w-1")).isEqualTo(MachineOutcome.QUARANTINED);
        assertThat(scene.events()).doesNotContain(Event.MACHINE_RETRIED);
    }

    @Test
    void aLaterFailureForAnotherRolloutDoesNotHideTheQuarantine() {
        scene.failForGood("a-w-1");
        scene.succeed("a-w-0");
        scene.succeed("a-w-2");
        scene.ask(Scene.machine("a-w-1"), "revision=90");
        scene.failForGood("a-w-1");
        scene.takeBack(Scene.machine("a-w-1"));
        retry();
        assertThat(ofCampaign("a-w-1").outcome()).isEqualTo(MachineOutcome.OPEN);
        assertThat(scene.inFlight()).contains("a-w-1");
    }

    private void retry() {
        scene.order(new OperatorOrderKey.RetryQuarantined(UP), OperatorOrder.OrderVerb.RETRY);
    }

    private RolloutEntry ofCampaign(String machine) {
        MachineStatus status = scene.status(machine);
        assertThat(status).isNotNull();
        return status.entries().stream()
                .filter(entry -> !entry.wave().isEmpty())
                .findFirst()
                .orElseThrow();
    }
}
