package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.run.World;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One machine teaches which version a revision is; then one waits that would go back, and one that is too far behind. */
class VersionTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int TARGET = Releases.OLDEST + 100;
    private static final int CAP = 3;
    private static final long HOUR = 3600_000;
    private static final int MACHINES = 5;
    private static final NodeTemper CALM = NodeTemper.calm(300_000, 20);

    @Test
    void oneTeachesTheVersionAndTheOthersKeepItsOrder() {
        String told = new Scenario(1, MACHINES, VersionTranscriptTest::furnish)
                .when(
                        "wave-opened upgrade/rest",
                        world ->
                                world.scheduler().after(HOUR, () -> world.desk().write(campaign(true))))
                .when("attempt-succeeded north/fleet/newer", VersionTranscriptTest::skipTheOldest)
                .play(Scenario.begin(CAP, campaign(false)), Scenario.over(UPGRADE));

        assertThat(told).contains("machine-skipped north/fleet/older", "campaign-completed upgrade");
        Golden.check("one-machine-teaches-the-version", told);
    }

    private static void furnish(SimFleet fleet, NodeMaker nodes) {
        SimSite north = fleet.addSite("north");
        machine(fleet, nodes, north, "w-1", Releases.OLDEST);
        machine(fleet, nodes, north, "w-2", Releases.OLDEST);
        machine(fleet, nodes, north, "w-3", Releases.OLDEST);
        machine(fleet, nodes, north, "newer", TARGET + 100);
        machine(fleet, nodes, north, "older", Releases.OLDEST - 100);
    }

    private static void machine(SimFleet fleet, NodeMaker nodes, SimSite site, String name, int revision) {
        fleet.addMachine(
                site,
                fleet.addCluster(site, name, name.startsWith("w") ? Scenario.labels("first", "yes") : Labels.NONE),
                name,
                MachineRole.WORKER,
                Labels.NONE,
                nodes.node(name, revision, CALM));
    }

    private static Campaign campaign(boolean allowDowngrade) {
        LabelSelector first = new LabelSelector(List.of(new LabelSelector.LabelRequirement("first", LabelSelector.LabelOperator.EXISTS, List.of())));
        CampaignSpec spec = new CampaignSpec(
                new UpgradeTarget.Revision(Integer.toString(TARGET)),
                null,
                MachineSelection.EVERYTHING,
                List.of(
                        new Wave("first", List.of(), first, false, 100),
                        new Wave("rest", List.of(), LabelSelector.ALL, false, 100)),
                null,
                null,
                null,
                null,
                null,
                0,
                new CountOrPercent.Count(1),
                true,
                Scenario.ONE_TRY);
        return new Campaign(UPGRADE, Labels.NONE, spec.with(CampaignConstraints.NONE.withDowngrade(allowDowngrade)));
    }

    private static void skipTheOldest(World world) {
        for (SimMachine machine : world.fleet().machines()) {
            if (machine.key().name().equals("older")) {
                world.desk()
                        .order(
                                UPGRADE,
                                new OperatorOrderKey.SkipMachine(UPGRADE, machine.key()),
                                OperatorOrder.OrderVerb.SKIP,
                                "one minor version after the other");
            }
        }
    }
}
