package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Machine with a new uid gives the slot of an attempt back only where it shows another node. */
class RecreatedMachineTest {
    private final Scene scene = Scene.open();

    @BeforeEach
    void oneAtATime() {
        scene.cap(1);
        scene.cluster("c", 0, 2);
        scene.campaign(CampaignBuilder.named("up").attempts(1).build());
    }

    @Test
    void aRefreshOnTheSameNodeHoldsItsSlotUntilItsWorkerSaysHowItEnded() {
        UpgradeAttempt refreshing = refreshing();
        recreated("provider://" + Scene.machine("c-w-0"));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        assertThat(scene.attempt("c-w-0")).isEqualTo(refreshing);
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).hasSize(1);
        assertThat(scene.events()).contains(Event.ATTEMPT_SUCCEEDED).doesNotContain(Event.ATTEMPT_VANISHED);
    }

    @ParameterizedTest
    @CsvSource({"provider://another, gone", "'', stays", ", stays"})
    void onlyAnotherNodeEndsIt(@Nullable String provider, String then) {
        refreshing();
        recreated(provider == null || provider.isEmpty() ? null : provider);
        assertThat(scene.events().contains(Event.ATTEMPT_VANISHED)).isEqualTo(then.equals("gone"));
    }

    @Test
    void aRowThatWasMissingInBetweenTellsNothingOfTheNode() {
        refreshing();
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        recreated("provider://another");
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anAttemptThatHasNotCalledIsCancelled() {
        recreated("provider://" + Scene.machine("c-w-0"));
        assertThat(scene.command("c-w-0")).isInstanceOf(WorkerCommand.CancelUpgrade.class);
        assertThat(scene.inFlight()).containsExactly("c-w-0");
    }

    @Test
    void anAttemptOfWhichNothingIsHeardIsLostInTheEndAndCounts() {
        refreshing();
        recreated("provider://" + Scene.machine("c-w-0"));
        scene.pass(Duration.ofHours(12));
        scene.pass(Duration.ofHours(3));
        assertThat(scene.decisions)
                .anyMatch(decision -> decision.event() == Event.MACHINE_QUARANTINED
                        && decision.reason().equals(FailureReason.NO_REPORT.label()));
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isOne();
        assertThat(scene.state.rollout(new CampaignName("up")).failed()).isOne();
    }

    /** Only the deletion of the machine itself says that its node goes. What has another uid may be on another node. */
    @Test
    void whatDeletesTheNewMachineDoesNotEndTheAttemptOfTheOldOne() {
        UpgradeAttempt refreshing = refreshing();
        scene.arrive(again(null).deleting().build());
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("c-w-0"))));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        assertThat(scene.attempt("c-w-0")).isEqualTo(refreshing);
        scene.succeed("c-w-0");
        assertThat(scene.inFlight()).containsExactly("c-w-1");
        assertThat(scene.events()).contains(Event.ATTEMPT_SUCCEEDED).doesNotContain(Event.ATTEMPT_VANISHED);
    }

    @Test
    void theNewMachineIsTriedWhenTheOldAttemptIsOver() {
        refreshing();
        recreated("provider://" + Scene.machine("c-w-0"));
        scene.failForGood("c-w-0");
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isOne();
        assertThat(scene.inFlight()).hasSize(1);
        scene.succeed(scene.inFlight().get(0));
        scene.succeed(scene.inFlight().get(0));
        assertThat(scene.status("c-w-0").uid()).isEqualTo(Scene.uidOf("again"));
    }

    private UpgradeAttempt refreshing() {
        scene.step("c-w-0", AttemptStep.STARTING);
        scene.step("c-w-0", AttemptStep.REFRESHING);
        return scene.attempt("c-w-0");
    }

    private void recreated(@Nullable String provider) {
        scene.arrive(again(provider).build());
    }

    private static MachineBuilder again(@Nullable String provider) {
        return MachineBuilder.of(Scene.SITE, "c", "c-w-0")
                .uid(Scene.uidOf("again"))
                .providerId(provider);
    }
}
