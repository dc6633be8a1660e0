package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RetryRule;
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
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A campaign in three waves, from beginning to end. */
class CanaryTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final String RING = "ring";
    private static final int CAP = 4;
    private static final int MACHINES = 14;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void campaignCompletesDespiteAFailedCanaryAndADeadLeader() {
        String transcript = new TranscriptScenario(2, MACHINES, CanaryTranscriptTest::createFleet)
                .onLine("attempt-admitted south/fleet/early-w-1", TranscriptScenario::killLeader)
                .onLine("wave-closed upgrade/early", CanaryTranscriptTest::approveTheRest)
                .play(TranscriptScenario.begin(CAP, campaign()), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript)
                .contains(
                        "machine-quarantined north/fleet/canary-w-2",
                        "orchestrator.1     crashes by kill",
                        "orchestrator.2     leads",
                        "campaign-completed upgrade");
        GoldenTranscript.assertMatches("canary-fails-and-the-leader-dies", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        SimSite south = fleet.addSite("south");
        cluster(fleet, nodes, north, "canary", 1, 2);
        cluster(fleet, nodes, south, "early", 1, 2);
        cluster(fleet, nodes, north, "rest-a", 3, 1);
        cluster(fleet, nodes, south, "rest-b", 1, 3);
    }

    private static void cluster(
            SimFleet fleet, SimNodeFactory nodes, SimSite site, String name, int controlPlanes, int workers) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(RING, name);
        SimCluster cluster = fleet.addCluster(site, name, new Labels(labels));
        for (int i = 1; i <= controlPlanes; i++) {
            String machine = name + "-cp-" + i;
            fleet.addMachine(
                    site,
                    cluster,
                    machine,
                    MachineRole.CONTROL_PLANE,
                    Labels.NONE,
                    nodes.node(machine, WITHOUT_FAULTS));
        }
        for (int i = 1; i <= workers; i++) {
            String machine = name + "-w-" + i;
            NodeFaultProfile faultProfile =
                    machine.equals("canary-w-2") ? WITHOUT_FAULTS.alwaysFailing() : WITHOUT_FAULTS;
            fleet.addMachine(
                    site, cluster, machine, MachineRole.WORKER, Labels.NONE, nodes.node(machine, faultProfile));
        }
    }

    private static Campaign campaign() {
        int failures = 4;
        return new Campaign(
                UPGRADE,
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel(SnapReleases.channel(1)), MachineSelection.EVERYTHING)
                        .waves(List.of(
                                new Wave("canary", List.of(), ring("canary"), false, 60),
                                new Wave("early", List.of(), ring("early"), false, 100),
                                new Wave("rest", List.of(), LabelSelector.ALL, true, 100)))
                        .failureBudget(FailureBudget.of(failures))
                        .priority(0)
                        .maxUnavailable(new CountOrPercent.Count(2))
                        .retries(new RetryRule(2, Duration.ofMinutes(1), Duration.ofMinutes(10)))
                        .build());
    }

    private static LabelSelector ring(String name) {
        return new LabelSelector(
                List.of(new LabelSelector.LabelRequirement(RING, LabelSelector.LabelOperator.IN, List.of(name))));
    }

    private static void approveTheRest(SimWorld world) {
        world.operatorTables()
                .order(
                        UPGRADE,
                        new OperatorOrderKey.ApproveWave(UPGRADE, "rest"),
                        OperatorOrder.OrderVerb.APPROVE,
                        "the canary failed because of a bad disk");
    }
}
