package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several rollouts claims a machine, and how many rollouts a machine can have entries of. */
class MachineClaimTest {
    private final FleetScenario fleetScenario = FleetScenario.open();

    private ClosedGate claimed(String name) {
        return fleetScenario.explain(name).closedGates().stream()
                .filter(closedGate -> closedGate.gate() == GateLabel.CLAIMED_BY_OTHER)
                .findFirst()
                .orElseThrow();
    }

    /** As many campaigns as a machine has room for have entries in it, and all of them still exist. */
    private void full() {
        fleetScenario.cluster("a", 0, 1);
        for (int i = 0; i < RolloutEntry.MAX_PER_MACHINE; i++) {
            fleetScenario.campaign(campaign(i));
            fleetScenario.succeed("a-w-0");
        }
        assertThat(fleetScenario.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
    }

    private static dev.flotilla.schemas.row.Campaign campaign(int number) {
        return CampaignBuilder.named("n" + number)
                .target("revision=" + (number + 1))
                .build();
    }

    @Test
    void aMachineWithEightEntriesTakesAnotherWhenACampaignIsDeleted() {
        full();
        fleetScenario.campaign(CampaignBuilder.named("one-more").build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(claimed("a-w-0").actual()).isEqualTo("full");
        assertThat(claimed("a-w-0").message())
                .isEqualTo("The machine already has the maximum of 8 campaigns and intents.");
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("n3"))));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        assertThat(fleetScenario.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
    }

    @Test
    void aMachineWithEightEntriesIsNotSkipped() {
        full();
        fleetScenario.campaign(CampaignBuilder.named("one-more").build());
        fleetScenario.order(
                new OperatorOrderKey.SkipMachine(new CampaignName("one-more"), FleetScenario.machine("a-w-0")),
                OperatorOrder.OrderVerb.SKIP);
        assertThat(fleetScenario.onlyRejection().problem()).startsWith("has the maximum of 8 campaigns and intents");
        assertThat(fleetScenario.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
    }

    @Test
    void aSkipKeepsTheEntryOfTheLatestAttempt() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(campaign(1));
        fleetScenario.succeed("a-w-0");
        fleetScenario.receive(new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("n1"))));
        fleetScenario.receiveWithoutLeader(() -> {
            fleetScenario.campaign(campaign(2));
            fleetScenario.order(
                    new OperatorOrderKey.SkipMachine(new CampaignName("n2"), FleetScenario.machine("a-w-0")),
                    OperatorOrder.OrderVerb.SKIP);
        });
        assertThat(fleetScenario.status("a-w-0").entries()).hasSize(2);
        assertThat(fleetScenario.status("a-w-0").latestEntry())
                .isNotNull()
                .satisfies(entry -> assertThat(entry.target()).isEqualTo(new UpgradeTarget.Revision("2")));
    }

    @Test
    void aRolloutWithAnEntryNeedsNoRoom() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").attempts(2).build());
        fleetScenario.fail("a-w-0");
        for (int i = 1; i < RolloutEntry.MAX_PER_MACHINE; i++) {
            fleetScenario.campaign(CampaignBuilder.named("n" + i)
                    .target("revision=" + i)
                    .priority(9)
                    .build());
            fleetScenario.order(
                    new OperatorOrderKey.ApproveOverlap(new CampaignName("n" + i)), OperatorOrder.OrderVerb.APPROVE);
            assertThat(fleetScenario.inFlight()).as("campaign %s", i).containsExactly("a-w-0");
            fleetScenario.succeed("a-w-0");
        }
        assertThat(fleetScenario.status("a-w-0").entries()).hasSize(RolloutEntry.MAX_PER_MACHINE);
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void namesTheRolloutThatClaimsTheMachine() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        String waits = fleetScenario.inFlight().contains("a-w-0") ? "b-w-0" : "a-w-0";
        fleetScenario.requestUpgrade(FleetScenario.machine(waits), "revision=9");
        var state = fleetScenario.state;
        state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        var campaign = java.util.Optional.ofNullable(state.rollout(new CampaignName("up")))
                .orElseThrow();
        var candidate = state.candidateOf(
                campaign,
                java.util.Optional.ofNullable(state.machine(FleetScenario.machine(waits)))
                        .orElseThrow(),
                fleetScenario.now);
        List<ClosedGate> closed = fleetScenario.gates.closed(
                java.util.Optional.ofNullable(candidate).orElseThrow());
        assertThat(closed)
                .filteredOn(one -> one.gate() == GateLabel.CLAIMED_BY_OTHER)
                .singleElement()
                .satisfies(one -> assertThat(one.message())
                        .startsWith("The machine is claimed by ")
                        .contains(waits));
    }

    @Test
    void aCampaignOfHigherPriorityClaimsTheMachine() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.cluster("b", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("first").priority(1).build());
        fleetScenario.campaign(
                CampaignBuilder.named("urgent").target("revision=9").priority(9).build());
        fleetScenario.order(
                new OperatorOrderKey.ApproveOverlap(new CampaignName("urgent")), OperatorOrder.OrderVerb.APPROVE);
        String waits = fleetScenario.inFlight().contains("a-w-0") ? "b-w-0" : "a-w-0";
        fleetScenario.state.refreshDerivedState(fleetScenario.gates, fleetScenario.now);
        var first = java.util.Optional.ofNullable(fleetScenario.state.rollout(new CampaignName("first")))
                .orElseThrow();
        var candidate = java.util.Optional.ofNullable(fleetScenario.state.candidateOf(
                        first,
                        java.util.Optional.ofNullable(fleetScenario.state.machine(FleetScenario.machine(waits)))
                                .orElseThrow(),
                        fleetScenario.now))
                .orElseThrow();
        assertThat(fleetScenario.gates.closed(candidate))
                .filteredOn(one -> one.gate() == GateLabel.CLAIMED_BY_OTHER)
                .singleElement()
                .satisfies(one -> assertThat(one.message()).isEqualTo("The machine is claimed by campaign urgent."));
    }

    @Test
    void aRolloutKeepsAControlPlaneThatItHasStarted() {
        FleetScenario begun = FleetScenario.open();
        begun.cluster("k", 2, 1);
        begun.campaign(CampaignBuilder.named("low").build());
        begun.campaign(CampaignBuilder.named("high").priority(9).build());
        begun.succeed("k-cp-0");
        assertThat(begun.attempt("k-cp-1").rolloutRef())
                .isEqualTo(new RolloutRef.CampaignRef(new CampaignName("low"), begun.uid(new CampaignName("low"))));
    }
}
