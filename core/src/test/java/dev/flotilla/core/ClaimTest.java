package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who has the word about a machine that several want, and how many may have had to do with it. */
class ClaimTest {
    private final Scene scene = Scene.open();

    private Closed claimed(String name) {
        return scene.explain(name).closed().stream()
                .filter(closed -> closed.gate() == GateLabel.CLAIMED)
                .findFirst()
                .orElseThrow();
    }

    /** So many campaigns as a machine has room for have had to do with it, and none of them is gone. */
    private void full() {
        scene.cluster("a", 0, 1);
        for (int i = 0; i < RolloutEntry.MAX_PER_MACHINE; i++) {
            scene.campaign(campaign(i));
            scene.succeed("a-w-0");
        }
        assertThat(scene.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
    }

    private static dev.flotilla.schemas.row.Campaign campaign(int number) {
        return CampaignBuilder.named("n" + number)
                .target("revision=" + (number + 1))
                .build();
    }

    @Test
    void aMachineWithEightEntriesTakesNoNinthUntilACampaignIsGone() {
        full();
        scene.campaign(CampaignBuilder.named("one-more").build());
        assertThat(scene.inFlight()).isEmpty();
        assertThat(claimed("a-w-0").have()).isEqualTo("full");
        assertThat(claimed("a-w-0").says())
                .isEqualTo("Eight campaigns and intents have to do with this machine already.");
        scene.arrive(new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("n3"))));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        assertThat(scene.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
    }

    @Test
    void whoHasHadToDoWithItAlreadyNeedsNoRoom() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").attempts(2).build());
        scene.fail("a-w-0");
        for (int i = 1; i < RolloutEntry.MAX_PER_MACHINE; i++) {
            scene.campaign(CampaignBuilder.named("n" + i)
                    .target("revision=" + i)
                    .priority(9)
                    .build());
            scene.order(new OperatorOrderKey.ApproveOverlap(new CampaignName("n" + i)), OperatorOrder.OrderVerb.APPROVE);
            assertThat(scene.inFlight()).as("campaign %s", i).containsExactly("a-w-0");
            scene.succeed("a-w-0");
        }
        assertThat(scene.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
        scene.pass(Duration.ofHours(1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void whoeverWaitsForAnothersMachineIsToldWhose() {
        scene.cap(1);
        scene.cluster("a", 0, 1);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        String waits = scene.inFlight().contains("a-w-0") ? "b-w-0" : "a-w-0";
        scene.ask(Scene.machine(waits), "revision=9");
        var state = scene.state;
        state.settle(scene.gates, scene.now);
        var campaign = java.util.Optional.ofNullable(state.rollout(new CampaignName("up")))
                .orElseThrow();
        var candidate = state.candidate(
                campaign,
                java.util.Optional.ofNullable(state.machine(Scene.machine(waits)))
                        .orElseThrow(),
                scene.now);
        List<Closed> closed =
                scene.gates.closed(java.util.Optional.ofNullable(candidate).orElseThrow());
        assertThat(closed)
                .filteredOn(one -> one.gate() == GateLabel.CLAIMED)
                .singleElement()
                .satisfies(one -> assertThat(one.says())
                        .startsWith("The machine is ")
                        .contains(waits)
                        .endsWith("'s for now."));
    }

    @Test
    void aMachineThatACampaignOfHigherPriorityWantsIsThatOnes() {
        scene.cap(1);
        scene.cluster("a", 0, 1);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("first").priority(1).build());
        scene.campaign(
                CampaignBuilder.named("urgent").target("revision=9").priority(9).build());
        scene.order(new OperatorOrderKey.ApproveOverlap(new CampaignName("urgent")), OperatorOrder.OrderVerb.APPROVE);
        String waits = scene.inFlight().contains("a-w-0") ? "b-w-0" : "a-w-0";
        scene.state.settle(scene.gates, scene.now);
        var first = java.util.Optional.ofNullable(scene.state.rollout(new CampaignName("first")))
                .orElseThrow();
        var candidate = java.util.Optional.ofNullable(scene.state.candidate(
                        first,
                        java.util.Optional.ofNullable(scene.state.machine(Scene.machine(waits)))
                                .orElseThrow(),
                        scene.now))
                .orElseThrow();
        assertThat(scene.gates.closed(candidate))
                .filteredOn(one -> one.gate() == GateLabel.CLAIMED)
                .singleElement()
                .satisfies(one -> assertThat(one.says()).isEqualTo("The machine is campaign urgent's for now."));
    }

    @Test
    void whoeverHasBegunAControlPlaneHasItUntilItIsDone() {
        Scene begun = Scene.open();
        begun.cluster("k", 2, 1);
        begun.campaign(CampaignBuilder.named("low").build());
        begun.campaign(CampaignBuilder.named("high").priority(9).build());
        begun.succeed("k-cp-0");
        assertThat(begun.attempt("k-cp-1").rolloutRef())
                .isEqualTo(new RolloutRef.CampaignRef(new CampaignName("low"), begun.uid(new CampaignName("low"))));
    }
}
