package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.run.SimNodeFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One machine of each zone at once: a machine waits while another one of its zone is in flight, independent of other
 * zones.
 */
class DomainCapTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final int MACHINES = 6;
    private static final int CAP = 6;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void oneMachineOfEachZoneIsInFlight() {
        String transcript = new TranscriptScenario(1, MACHINES, DomainCapTranscriptTest::createFleet)
                .play(TranscriptScenario.begin(CAP, campaign()), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript).contains("campaign-completed upgrade");
        GoldenTranscript.assertMatches("one-of-each-zone", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 0; i < MACHINES; i++) {
            String zone = i % 3 == 0 ? "a" : "b";
            String name = "k" + i + "-" + zone;
            SimCluster cluster = fleet.addCluster(north, name, Labels.NONE);
            fleet.addMachine(
                    north,
                    cluster,
                    name,
                    MachineRole.WORKER,
                    TranscriptScenario.labels(ZONE, zone),
                    nodes.node(name, WITHOUT_FAULTS));
        }
    }

    private static Campaign campaign() {
        return TranscriptScenario.campaign(
                UPGRADE,
                TranscriptScenario.everything()
                        .domainCaps(List.of(new TopologyDomainCap(ZONE, new CountOrPercent.Count(1)))));
    }
}
