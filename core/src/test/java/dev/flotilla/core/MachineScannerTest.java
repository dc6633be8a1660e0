package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.inventory.MachineCursor;
import dev.flotilla.core.fleet.inventory.MachinePage;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scans of the fleet in pages, and the summary of each machine. */
class MachineScannerTest {
    private static final SiteId SOUTH = new SiteId("south");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private List<String> walk(MachineCursor from, int most) {
        List<String> names = new ArrayList<>();
        MachineCursor at = from;
        while (at != null) {
            MachinePage piece = fleetScenario.state.scanMachines(at, most);
            assertThat(piece.machines().size()).isLessThanOrEqualTo(most);
            piece.machines().forEach(machine -> names.add(machine.key().toString()));
            at = piece.next();
        }
        return names;
    }

    @Test
    void visitsEveryMachineOnceInOrderForAnyPageSize() {
        fleetScenario.site(SOUTH);
        fleetScenario.cluster(SOUTH, "b", 1, 2, Labels.NONE);
        fleetScenario.cluster("z", 0, 3);
        ClusterKey empty = new ClusterKey(FleetScenario.SITE, "default", "m");
        fleetScenario.receive(new ClusterRow(empty, "uid-m", Labels.NONE, false, false, null, 0, 0));
        fleetScenario.cluster("a", 3, 0);
        List<String> whole = walk(MachineCursor.start(), 1_000);
        assertThat(whole)
                .containsExactly(
                        "north/default/a-cp-0",
                        "north/default/a-cp-1",
                        "north/default/a-cp-2",
                        "north/default/z-w-0",
                        "north/default/z-w-1",
                        "north/default/z-w-2",
                        "south/default/b-cp-0",
                        "south/default/b-w-0",
                        "south/default/b-w-1");
        for (int most = 2; most < 12; most++) {
            assertThat(walk(MachineCursor.start(), most))
                    .as("pages of %d", most)
                    .isEqualTo(whole);
        }
        assertThat(walk(MachineCursor.of(SOUTH), 2)).isEqualTo(whole.subList(6, 9));
        assertThat(walk(MachineCursor.of(new ClusterKey(FleetScenario.SITE, "default", "z")), 5))
                .isEqualTo(whole.subList(3, 9));
    }

    @Test
    void continuesAfterADeletedMachine() {
        fleetScenario.cluster("a", 0, 3);
        MachineCursor behind = new MachineCursor(new ClusterKey(FleetScenario.SITE, "default", "a"), "a-w-0-gone");
        assertThat(walk(behind, 10)).containsExactly("north/default/a-w-1", "north/default/a-w-2");
    }

    @Test
    void aSummaryAgreesWithTheExplanation() {
        fleetScenario.cap(1);
        fleetScenario.cluster("a", 1, 3);
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-2")
                .optedOut()
                .build());
        assertSummariesAgree();
        fleetScenario.campaign(CampaignBuilder.named("c").build());
        assertSummariesAgree();
        fleetScenario.step("a-cp-0", dev.flotilla.schemas.row.AttemptStep.REFRESHING);
        assertSummariesAgree();
        fleetScenario.succeed("a-cp-0");
        fleetScenario.quarantine(fleetScenario.inFlight().get(0));
        assertSummariesAgree();
    }

    private void assertSummariesAgree() {
        for (MachineView machine :
                fleetScenario.state.scanMachines(MachineCursor.start(), 100).machines()) {
            var whole = fleetScenario.explain(machine.key().name());
            MachineSummary machineSummary = MachineExplainer.summarizeMachine(
                    fleetScenario.state, fleetScenario.gates, machine, fleetScenario.now);
            assertThat(machineSummary)
                    .isEqualTo(new MachineSummary(
                            whole.state(),
                            whole.rolloutRef(),
                            whole.closedGates().isEmpty()
                                    ? null
                                    : whole.closedGates().get(0).gate()));
            assertThat(MachineSummary.allStates()).contains(machineSummary.state());
        }
    }
}
