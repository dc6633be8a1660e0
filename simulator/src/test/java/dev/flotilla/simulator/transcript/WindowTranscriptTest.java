package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.Window;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.run.World;
import dev.flotilla.simulator.world.SimZones;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Windows by the clocks on site: those go back in one cluster, and nobody knows where another one is. */
class WindowTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int CAP = 4;
    private static final int MACHINES = 6;
    private static final NodeTemper CALM = NodeTemper.calm(300_000, 20);

    @Test
    void machinesAreStartedInTheirWindows() {
        String told = new Scenario(1, MACHINES, WindowTranscriptTest::furnish)
                .when("attempt-succeeded north/fleet/autumn-w-1", WindowTranscriptTest::sayWhereTheRestIs)
                .play(Scenario.begin(policy(null), campaign()), Scenario.over(UPGRADE));

        assertThat(told).contains("zone-read Sim/Autumn", "zone-read Sim/Plain", "campaign-completed upgrade");
        Golden.check("windows-by-the-clocks-on-site", told);
    }

    private static void furnish(SimFleet fleet, NodeMaker nodes) {
        SimSite north = fleet.addSite("north");
        cluster(fleet, nodes, north, "plain", SimZones.PLAIN);
        cluster(fleet, nodes, north, "autumn", SimZones.AUTUMN);
        cluster(fleet, nodes, north, "lost", null);
    }

    private static void cluster(SimFleet fleet, NodeMaker nodes, SimSite site, String name, @Nullable String zone) {
        SimCluster cluster = fleet.addCluster(site, name, Labels.NONE);
        cluster.locate(zone);
        String controlPlane = name + "-cp-1";
        String worker = name + "-w-1";
        fleet.addMachine(site, cluster, controlPlane, Role.CONTROL_PLANE, Labels.NONE, nodes.node(controlPlane, CALM));
        fleet.addMachine(site, cluster, worker, Role.WORKER, Labels.NONE, nodes.node(worker, CALM));
    }

    private static Policy policy(@Nullable ZoneName zone) {
        return new Policy(
                Fleet.FLEET,
                new Limit.Count(CAP),
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                new Policy.Calendar(zone, List.of(), Duration.ofMinutes(10)),
                null);
    }

    private static void sayWhereTheRestIs(World world) {
        world.desk().write(policy(new ZoneName(SimZones.PLAIN)));
    }

    private static Campaign campaign() {
        int hour = 60;
        List<Window> windows = List.of(
                new Window(List.of(), null, 2 * hour + 30, 3 * hour + 30, null),
                new Window(List.of(), null, 14 * hour, 15 * hour, null));
        return Scenario.everything(
                UPGRADE, 0, RetryRule.DEFAULT, new Terms(Duration.ZERO, Terms.USUAL_WEIGHT, List.of(), windows));
    }
}
