package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.FailureCohortRule;
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
 * Machines of one hardware model fail: that cohort is closed, the rest is upgraded, and an operator skips the failed
 * machines.
 */
class CohortTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final String MODEL = "hardware.example/model";
    private static final int MACHINES = 14;
    private static final int CAP = 3;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void failingModelIsClosedAndTheRestContinues() {
        String transcript = new TranscriptScenario(1, MACHINES, CohortTranscriptTest::createFleet)
                .whenMatches("machine-quarantined", world -> {})
                .whenMatches("machine-quarantined", CohortTranscriptTest::skipModelLater)
                .play(TranscriptScenario.begin(CAP, campaign()), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript).contains("machine-skipped", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("a-model-is-closed", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int i = 0; i < MACHINES; i++) {
            boolean bad = i % 2 == 0;
            String name = String.format("k%02d-%s", i, bad ? "x1" : "x2");
            SimCluster cluster = fleet.addCluster(north, name, Labels.NONE);
            NodeFaultProfile faultProfile = bad ? WITHOUT_FAULTS.alwaysFailing() : WITHOUT_FAULTS;
            fleet.addMachine(
                    north,
                    cluster,
                    name,
                    MachineRole.WORKER,
                    TranscriptScenario.labels(MODEL, bad ? "x1" : "x2"),
                    nodes.node(name, faultProfile));
        }
    }

    private static Campaign campaign() {
        FailureCohortRule rule = new FailureCohortRule(List.of(MODEL), 2, 60);
        return TranscriptScenario.campaign(
                UPGRADE, TranscriptScenario.everything().cohortCircuitBreaker(rule));
    }

    /** Skips the remaining machines of the model, long after everything else is done. */
    private static void skipModelLater(SimWorld world) {
        world.scheduler().after(Duration.ofHours(1).toMillis(), () -> {
            for (SimMachine machine : world.fleet().machines()) {
                if (machine.key().name().endsWith("x1")) {
                    world.operatorTables()
                            .order(
                                    UPGRADE,
                                    new OperatorOrderKey.SkipMachine(UPGRADE, machine.key()),
                                    OperatorOrder.OrderVerb.SKIP,
                                    "this model gets new disks first");
                }
            }
        });
    }
}
