package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One machine resolves which version a revision contains. Then one machine waits because it would be downgraded, and
 * one because it is too far behind.
 */
class VersionSkewTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int TARGET = SnapReleases.OLDEST + 100;
    private static final int CAP = 3;
    private static final long HOUR = 3600_000;
    private static final int MACHINES = 5;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void oneMachineResolvesTheVersionAndOthersKeepTheVersionRules() {
        String transcript = new TranscriptScenario(1, MACHINES, VersionSkewTranscriptTest::createFleet)
                .onLine(
                        "wave-opened upgrade/rest",
                        world -> world.scheduler()
                                .after(HOUR, () -> world.operatorTables().write(campaign(true))))
                .onLine("attempt-succeeded north/fleet/newer", VersionSkewTranscriptTest::skipTheOldest)
                .play(TranscriptScenario.begin(CAP, campaign(false)), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript).contains("machine-skipped north/fleet/older", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("one-machine-teaches-the-version", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        machine(fleet, nodes, north, "w-1", SnapReleases.OLDEST);
        machine(fleet, nodes, north, "w-2", SnapReleases.OLDEST);
        machine(fleet, nodes, north, "w-3", SnapReleases.OLDEST);
        machine(fleet, nodes, north, "newer", TARGET + 100);
        machine(fleet, nodes, north, "older", SnapReleases.OLDEST - 100);
    }

    private static void machine(SimFleet fleet, SimNodeFactory nodes, SimSite site, String name, int revision) {
        fleet.addMachine(
                site,
                fleet.addCluster(
                        site, name, name.startsWith("w") ? TranscriptScenario.labels("first", "yes") : Labels.NONE),
                name,
                MachineRole.WORKER,
                Labels.NONE,
                nodes.node(name, revision, WITHOUT_FAULTS));
    }

    private static Campaign campaign(boolean allowDowngrade) {
        LabelSelector first = new LabelSelector(
                List.of(new LabelSelector.LabelRequirement("first", LabelSelector.LabelOperator.EXISTS, List.of())));
        CampaignSpec spec = new CampaignSpecBuilder(
                        new UpgradeTarget.Revision(Integer.toString(TARGET)), MachineSelection.EVERYTHING)
                .waves(List.of(
                        new Wave("first", List.of(), first, false, 100),
                        new Wave("rest", List.of(), LabelSelector.ALL, false, 100)))
                .allowDowngrade(allowDowngrade)
                .priority(0)
                .retries(TranscriptScenario.ONE_TRY)
                .build();
        return new Campaign(UPGRADE, Labels.NONE, spec);
    }

    private static void skipTheOldest(SimWorld world) {
        for (SimMachine machine : world.fleet().machines()) {
            if (machine.key().name().equals("older")) {
                world.operatorTables()
                        .order(
                                UPGRADE,
                                new OperatorOrderKey.SkipMachine(UPGRADE, machine.key()),
                                OperatorOrder.OrderVerb.SKIP,
                                "the target skips a minor version");
            }
        }
    }
}
