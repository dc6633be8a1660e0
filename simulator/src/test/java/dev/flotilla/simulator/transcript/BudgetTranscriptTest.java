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
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A failure budget with a confidence: after many successes later failures exceed it, and the campaign pauses until an
 * operator raises it.
 */
class BudgetTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final String DISK = "disk";
    private static final int MACHINES = 24;
    private static final int CAP = 6;
    private static final int GOOD = 10;
    private static final FailureBudget TEN_PERCENT = new FailureBudget(new CountOrPercent.Percent(10), 60, 5);
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void exceededBudgetPausesTheCampaignUntilItIsRaised() {
        String transcript = new TranscriptScenario(1, MACHINES, BudgetTranscriptTest::createFleet)
                .onLine("campaign-paused upgrade", BudgetTranscriptTest::resume)
                .onLine("rejected flotilla.orders", BudgetTranscriptTest::raise)
                .play(TranscriptScenario.begin(CAP, campaign(TEN_PERCENT)), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript)
                .contains("machines have failed, and the failure budget is", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("a-budget-is-breached", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 0; i < MACHINES; i++) {
            String name = String.format("k%02d", i);
            SimCluster cluster = fleet.addCluster(
                    north,
                    name,
                    i < GOOD ? TranscriptScenario.labels(DISK, "good") : TranscriptScenario.labels(DISK, "bad"));
            NodeFaultProfile faultProfile = i < GOOD ? WITHOUT_FAULTS : WITHOUT_FAULTS.alwaysFailing();
            fleet.addMachine(
                    north,
                    cluster,
                    name + "-w",
                    MachineRole.WORKER,
                    Labels.NONE,
                    nodes.node(name + "-w", faultProfile));
        }
    }

    private static LabelSelector disk(String disk) {
        return new LabelSelector(
                List.of(new LabelSelector.LabelRequirement(DISK, LabelSelector.LabelOperator.IN, List.of(disk))));
    }

    private static Campaign campaign(FailureBudget budget) {
        return new Campaign(
                UPGRADE,
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel(SnapReleases.channel(1)), MachineSelection.EVERYTHING)
                        .waves(List.of(
                                new Wave("good", List.of(), disk("good"), false, 100),
                                new Wave("rest", List.of(), LabelSelector.ALL, false, 100)))
                        .failureBudget(budget)
                        .priority(0)
                        .retries(TranscriptScenario.ONE_TRY)
                        .build());
    }

    private static void resume(SimWorld world) {
        world.operatorTables()
                .order(
                        UPGRADE,
                        new OperatorOrderKey.SetCampaignState(UPGRADE),
                        OperatorOrder.OrderVerb.RUN,
                        "failures are expected");
    }

    private static void raise(SimWorld world) {
        world.operatorTables().write(campaign(FailureBudget.strict(new CountOrPercent.Percent(100))));
        world.scheduler().after(TranscriptScenario.FLEET_KNOWN, () -> resume(world));
    }
}
