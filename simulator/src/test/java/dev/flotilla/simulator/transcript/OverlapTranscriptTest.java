package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import org.junit.jupiter.api.Test;

/** An urgent patch overlaps a running campaign to another version: it waits until an operator approves the overlap. */
class OverlapTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final CampaignName PATCH = new CampaignName("patch");
    private static final int MACHINES = 5;
    private static final int CAP = 1;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void laterCampaignWaitsForAnApproval() {
        String transcript = new TranscriptScenario(1, MACHINES, OverlapTranscriptTest::createFleet)
                .whenMatches("attempt-admitted", world -> world.operatorTables().write(patch()))
                .whenMatches("attempt-succeeded", world -> {})
                .whenMatches("attempt-succeeded", OverlapTranscriptTest::approve)
                .onLine("campaign-completed patch", OverlapTranscriptTest::abort)
                .play(
                        TranscriptScenario.begin(
                                CAP, TranscriptScenario.campaign(UPGRADE, TranscriptScenario.everything())),
                        TranscriptScenario.isOver(UPGRADE).and(TranscriptScenario.isOver(PATCH)));

        assertThat(transcript)
                .contains("order-applied patch/overlap", "campaign-completed patch", "campaign-aborted upgrade");
        GoldenTranscript.assertMatches("a-patch-overlaps", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 0; i < MACHINES; i++) {
            String name = "k" + i;
            fleet.addMachine(
                    north,
                    fleet.addCluster(north, name, Labels.NONE),
                    name,
                    MachineRole.WORKER,
                    Labels.NONE,
                    nodes.node(name, WITHOUT_FAULTS));
        }
    }

    /** A campaign to a patch of the same minor version, with the highest priority. */
    private static Campaign patch() {
        int revision = SnapReleases.OLDEST + 104;
        CampaignSpec spec = new CampaignSpecBuilder(
                        new UpgradeTarget.Revision(Integer.toString(revision)), MachineSelection.EVERYTHING)
                .expectedVersion(SnapReleases.version(revision))
                .priority(9)
                .retries(TranscriptScenario.ONE_TRY)
                .build();
        return new Campaign(PATCH, Labels.NONE, spec);
    }

    /**
     * Aborts the first campaign: patched machines show a newer version than its target and wait, because no downgrade
     * is intended.
     */
    private static void abort(SimWorld world) {
        world.operatorTables()
                .order(
                        UPGRADE,
                        new OperatorOrderKey.SetCampaignState(UPGRADE),
                        OperatorOrder.OrderVerb.ABORT,
                        "the patch has a newer version");
    }

    private static void approve(SimWorld world) {
        world.operatorTables()
                .order(
                        PATCH,
                        new OperatorOrderKey.ApproveOverlap(PATCH),
                        OperatorOrder.OrderVerb.APPROVE,
                        "the patch must not wait");
    }
}
