package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One machine of a cluster fails: a strict campaign stops in that cluster, and continues there after an operator has
 * skipped the machine.
 */
class StrictClusterTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int MACHINES = 6;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void strictCampaignStopsInAClusterWithAQuarantinedMachine() {
        String transcript = new TranscriptScenario(1, MACHINES, StrictClusterTranscriptTest::createFleet)
                .onLine("machine-quarantined", StrictClusterTranscriptTest::skipFailedMachineLater)
                .play(
                        TranscriptScenario.begin(
                                MACHINES,
                                TranscriptScenario.campaign(
                                        UPGRADE, TranscriptScenario.everything().strict(true))),
                        TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript).contains("machine-skipped", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("a-cluster-is-left", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (String name : List.of("bad", "good")) {
            SimCluster cluster = fleet.addCluster(north, name, Labels.NONE);
            for (int i = 0; i < MACHINES / 2; i++) {
                String machine = name + "-w-" + i;
                NodeFaultProfile faultProfile =
                        machine.equals("bad-w-0") ? WITHOUT_FAULTS.alwaysFailing() : WITHOUT_FAULTS;
                fleet.addMachine(
                        north, cluster, machine, MachineRole.WORKER, Labels.NONE, nodes.node(machine, faultProfile));
            }
        }
    }

    private static void skipFailedMachineLater(SimWorld world) {
        world.scheduler().after(Duration.ofHours(1).toMillis(), () -> {
            for (SimMachine machine : world.fleet().machines()) {
                if (machine.key().name().equals("bad-w-0")) {
                    world.operatorTables()
                            .order(
                                    UPGRADE,
                                    new OperatorOrderKey.SkipMachine(UPGRADE, machine.key()),
                                    OperatorOrder.OrderVerb.SKIP,
                                    "its disk is full, the others are fine");
                }
            }
        });
    }
}
