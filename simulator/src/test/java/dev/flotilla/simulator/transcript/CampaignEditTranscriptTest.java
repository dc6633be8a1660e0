package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.contenthash.CampaignContentHash;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.run.SimNodeFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two operators edit a campaign with the same expected content hash: the second edit is rejected, and succeeds after
 * reading the campaign again.
 */
class CampaignEditTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int MACHINES = 2;
    private static final int CAP = 1;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void leaderRejectsTheSecondOfTwoEdits() {
        String transcript = new TranscriptScenario(1, MACHINES, CampaignEditTranscriptTest::createFleet)
                .whenMatches("attempt-admitted", world -> {
                    world.operatorTables().write(campaign(2, CampaignContentHash.compute(campaign(1, null))));
                    world.operatorTables().write(campaign(3, CampaignContentHash.compute(campaign(1, null))));
                })
                .whenMatches(
                        "rejected",
                        world -> world.operatorTables()
                                .write(campaign(3, CampaignContentHash.compute(campaign(2, null)))))
                .play(TranscriptScenario.begin(CAP, campaign(1, null)), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript).contains("rejected", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("an-edit-comes-too-late", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 0; i < MACHINES; i++) {
            String name = "k" + i;
            SimCluster cluster = fleet.addCluster(north, name, Labels.NONE);
            fleet.addMachine(north, cluster, name, MachineRole.WORKER, Labels.NONE, nodes.node(name, WITHOUT_FAULTS));
        }
    }

    private static Campaign campaign(int priority, @Nullable String expectedHash) {
        return TranscriptScenario.campaign(
                UPGRADE, TranscriptScenario.everything().priority(priority).expectedContentHash(expectedHash));
    }
}
