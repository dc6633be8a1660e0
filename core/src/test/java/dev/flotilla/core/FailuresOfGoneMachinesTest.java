package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting a machine that failed gives its campaign's failure budget nothing back. */
class FailuresOfGoneMachinesTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    @Test
    void aMachineThatFailedAndWasDeletedUsesTheBudget() {
        begin(1);
        delete("c-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c-w-1")).contains(GateLabel.BUDGET);
        assertThat(scene.explain("c-w-1").next()).contains("1 of them gone since");
    }

    @Test
    void soDoesOneThatWasDeletedWhileItWasTriedAgain() {
        scene.cluster("c", 0, 3);
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        scene.fail("c-w-0");
        scene.pass(Duration.ofHours(1));
        assertThat(scene.inFlight()).containsExactly("c-w-0");
        delete("c-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.events()).contains(Event.ATTEMPT_VANISHED);
        assertThat(scene.closed("c-w-1")).contains(GateLabel.BUDGET);
    }

    @Test
    void soDoesOneWhoseNameAnotherMachineHasNow() {
        begin(1);
        replace("c-w-0");
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isOne();
        assertThat(scene.explain("c-w-0").next()).contains("1 of them gone since");
    }

    @Test
    void soDoesOneThatWasDeletedBeforeAnotherTookItsName() {
        begin(2);
        delete("c-w-0");
        replace("c-w-0");
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isOne();
        assertThat(failed()).isOne();
        scene.failForGood(scene.inFlight().get(0));
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void aLeaderThatHasOnlyReadTheRowsCountsTheSame() {
        begin(3);
        replace("c-w-0");
        delete("c-w-1");
        FleetState restored = new FleetState();
        scene.rows.values().forEach(restored::put);
        restored.settle(scene.gates, scene.now);
        assertThat(restored.failed(restored.rollout(UP))).isEqualTo(failed());
        assertThat(restored.hash()).isEqualTo(scene.state.hash());
    }

    @Test
    void aMachineThatComesBackIsCountedOnce() {
        begin(2);
        delete("c-w-0");
        assertThat(failed()).isOne();
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", "c-w-0").build());
        assertThat(failed()).isOne();
        assertThat(scene.entry("c-w-0").outcome()).isEqualTo(MachineOutcome.QUARANTINED);
    }

    @Test
    void moreThanTheBudgetBearsPausesTheCampaignAndSaysHowManyAreGone() {
        begin(2);
        delete("c-w-0");
        scene.failForGood(scene.inFlight().get(0));
        scene.campaign(CampaignBuilder.named("up").budget(1).build());
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(scene.campaignStatus("up").pauseReason())
                .isEqualTo("2 machines have failed, 1 of them gone since, and the failure budget is 1");
    }

    @Test
    void whatPeopleSkippedIsNoFailureWhenItIsGone() {
        begin(1);
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        replace("c-w-0");
        assertThat(scene.campaignStatus("up").failuresOfDeletedMachines()).isZero();
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void theCampaignEndsWithoutIt() {
        begin(1);
        delete("c-w-0");
        scene.order(new OperatorOrderKey.SkipMachine(UP, Scene.machine("c-w-0")), OperatorOrder.OrderVerb.SKIP);
        for (int i = 0; i < 3; i++) {
            scene.succeed(scene.inFlight().get(0));
        }
        assertThat(scene.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(scene.state.machine(Scene.machine("c-w-0"))).isNull();
    }

    /** One of four machines has failed for good. */
    private void begin(int budget) {
        scene.cluster("c", 0, 4);
        scene.campaign(CampaignBuilder.named("up").budget(budget).build());
        scene.failForGood("c-w-0");
    }

    private int failed() {
        scene.state.settle(scene.gates, scene.now);
        return scene.state.failed(scene.state.rollout(UP));
    }

    private void delete(String machine) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", machine).deleting().build());
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine(machine))));
    }

    private void replace(String machine) {
        scene.arrive(MachineBuilder.of(Scene.SITE, "c", machine)
                .uid(Scene.uidOf("again"))
                .build());
    }

    @Test
    void thoseThatWereDeletedAndThoseThatWereReplacedAreGone() {
        begin(3);
        scene.failForGood("c-w-1");
        delete("c-w-0");
        replace("c-w-1");
        scene.state.settle(scene.gates, scene.now);
        assertThat(scene.state.rollout(UP).failedAndGone()).isEqualTo(2);
    }
}
