package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A canary wave with a share of the clusters soaks, the leader dies during the soak, and an operator approves before
 * the rest begins.
 */
class SoakTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int CAP = 4;
    private static final int CLUSTERS = 4;
    private static final int MACHINES = 12;
    private static final Duration SOAK = Duration.ofMinutes(30);
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void canarySoaksAcrossALeaderChangeAndIsApproved() {
        String transcript = new TranscriptScenario(1, MACHINES, SoakTranscriptTest::createFleet)
                .whenMatches("attempt-succeeded north/fleet/.*-w-2", TranscriptScenario::killLeader)
                .whenMatches("orchestrator.2 .*attempt-succeeded north/fleet/.*-w-2", SoakTranscriptTest::approve)
                .play(TranscriptScenario.begin(CAP, campaign()), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript)
                .contains("wave-size-fixed upgrade/canary", "wave-closed upgrade/canary", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("a-canary-soaks", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 1; i <= CLUSTERS; i++) {
            String name = "k" + i;
            SimCluster cluster = fleet.addCluster(north, name, Labels.NONE);
            machine(fleet, nodes, north, cluster, name + "-cp-1", MachineRole.CONTROL_PLANE);
            machine(fleet, nodes, north, cluster, name + "-w-1", MachineRole.WORKER);
            machine(fleet, nodes, north, cluster, name + "-w-2", MachineRole.WORKER);
        }
    }

    private static void machine(
            SimFleet fleet, SimNodeFactory nodes, SimSite site, SimCluster cluster, String name, MachineRole role) {
        fleet.addMachine(site, cluster, name, role, Labels.NONE, nodes.node(name, WITHOUT_FAULTS));
    }

    private static Campaign campaign() {
        return new Campaign(
                UPGRADE,
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel(SnapReleases.channel(1)), MachineSelection.EVERYTHING)
                        .waves(List.of(
                                new Wave(
                                        "canary",
                                        List.of(),
                                        LabelSelector.ALL,
                                        new CountOrPercent.Count(3),
                                        Wave.WaveApproval.AFTER,
                                        100,
                                        SOAK),
                                new Wave("rest", List.of(), LabelSelector.ALL, false, 100)))
                        .priority(0)
                        .build());
    }

    private static void approve(SimWorld world) {
        world.operatorTables()
                .order(
                        UPGRADE,
                        new OperatorOrderKey.ApproveWave(UPGRADE, "canary"),
                        OperatorOrder.OrderVerb.APPROVE,
                        "the canary is healthy");
    }
}
