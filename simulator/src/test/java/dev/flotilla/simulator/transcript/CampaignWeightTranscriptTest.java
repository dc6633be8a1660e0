package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.operator.RandomPolicies;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Four slots for two campaigns, one of which has three times the weight of the other. A third campaign waits for half
 * of the lighter one and for its start time, and then goes before both because of its higher priority.
 */
class CampaignWeightTranscriptTest {
    private static final CampaignName LIGHT = new CampaignName("light");
    private static final CampaignName HEAVY = new CampaignName("heavy");
    private static final CampaignName URGENT = new CampaignName("urgent");
    private static final int MACHINES_PER_CAMPAIGN = 6;
    private static final int CAP = 4;
    private static final Duration START_DELAY = Duration.ofMinutes(12);
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void campaignsShareSlotsByTheirWeightAndWaitForEachOther() {
        String transcript = new TranscriptScenario(
                        1, 3 * MACHINES_PER_CAMPAIGN, CampaignWeightTranscriptTest::createFleet)
                .play(
                        CampaignWeightTranscriptTest::begin,
                        world -> List.of(LIGHT, HEAVY, URGENT).stream()
                                .allMatch(
                                        name -> TranscriptScenario.isOver(name).test(world)));

        assertThat(transcript)
                .contains("campaign-completed light", "campaign-completed heavy", "campaign-completed urgent");
        GoldenTranscript.assertMatches("campaigns-share-slots", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (CampaignName name : List.of(LIGHT, HEAVY, URGENT)) {
            for (int i = 0; i < MACHINES_PER_CAMPAIGN; i++) {
                String machine = name + "-" + i;
                SimCluster cluster = fleet.addCluster(north, machine, TranscriptScenario.labels("for", name.name()));
                fleet.addMachine(
                        north, cluster, machine, MachineRole.WORKER, Labels.NONE, nodes.node(machine, WITHOUT_FAULTS));
            }
        }
    }

    private static void begin(SimWorld world) {
        world.operatorTables().write(RandomPolicies.capped(CAP));
        world.scheduler().after(TranscriptScenario.FLEET_KNOWN, () -> {
            world.operatorTables()
                    .write(campaign(LIGHT, TranscriptScenario.everything().weight(100)));
            world.operatorTables()
                    .write(campaign(HEAVY, TranscriptScenario.everything().weight(300)));
            world.operatorTables()
                    .write(campaign(
                            URGENT,
                            TranscriptScenario.everything()
                                    .priority(9)
                                    .dependsOn(List.of(new CampaignDependency(LIGHT, 50)))
                                    .startAt(Instant.ofEpochMilli(VirtualClockScheduler.BEGIN)
                                            .plus(START_DELAY))));
        });
    }

    private static Campaign campaign(CampaignName name, CampaignSpecBuilder spec) {
        LabelSelector clusters = new LabelSelector(List.of(
                new LabelSelector.LabelRequirement("for", LabelSelector.LabelOperator.IN, List.of(name.name()))));
        return TranscriptScenario.campaign(
                name,
                spec.select(
                        new MachineSelection(List.of(), clusters, LabelSelector.ALL, List.of(), List.of(), List.of())));
    }
}
