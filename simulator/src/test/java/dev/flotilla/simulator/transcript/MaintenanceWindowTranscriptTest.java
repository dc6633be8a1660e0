package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import dev.flotilla.simulator.world.SimTimeZones;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Maintenance windows in the local time of each site: clocks go back in one cluster, and the time zone of another is
 * unknown.
 */
class MaintenanceWindowTranscriptTest {
    private static final CampaignName UPGRADE = new CampaignName("upgrade");
    private static final int CAP = 4;
    private static final int MACHINES = 6;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void machinesStartInTheirWindows() {
        String transcript = new TranscriptScenario(1, MACHINES, MaintenanceWindowTranscriptTest::createFleet)
                .onLine("attempt-succeeded north/fleet/autumn-w-1", MaintenanceWindowTranscriptTest::setDefaultTimeZone)
                .play(TranscriptScenario.begin(policy(null), campaign()), TranscriptScenario.isOver(UPGRADE));

        assertThat(transcript)
                .contains("time-zone-updated Sim/Autumn", "time-zone-updated Sim/Plain", "campaign-completed upgrade");
        GoldenTranscript.assertMatches("windows-by-the-clocks-on-site", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        cluster(fleet, nodes, north, "plain", SimTimeZones.PLAIN);
        cluster(fleet, nodes, north, "autumn", SimTimeZones.AUTUMN);
        cluster(fleet, nodes, north, "lost", null);
    }

    private static void cluster(
            SimFleet fleet, SimNodeFactory nodes, SimSite site, String name, @Nullable String zone) {
        SimCluster cluster = fleet.addCluster(site, name, Labels.NONE);
        cluster.locate(zone);
        String controlPlane = name + "-cp-1";
        String worker = name + "-w-1";
        fleet.addMachine(
                site,
                cluster,
                controlPlane,
                MachineRole.CONTROL_PLANE,
                Labels.NONE,
                nodes.node(controlPlane, WITHOUT_FAULTS));
        fleet.addMachine(site, cluster, worker, MachineRole.WORKER, Labels.NONE, nodes.node(worker, WITHOUT_FAULTS));
    }

    private static UpgradePolicy policy(@Nullable TimeZoneName zone) {
        return new UpgradePolicy(
                FleetScope.FLEET,
                new CountOrPercent.Count(CAP),
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                new UpgradePolicy.MaintenanceCalendar(zone, List.of(), Duration.ofMinutes(10)),
                null);
    }

    private static void setDefaultTimeZone(SimWorld world) {
        world.operatorTables().write(policy(new TimeZoneName(SimTimeZones.PLAIN)));
    }

    private static Campaign campaign() {
        int hour = 60;
        List<MaintenanceWindow> windows = List.of(
                new MaintenanceWindow(List.of(), null, 2 * hour + 30, 3 * hour + 30, null),
                new MaintenanceWindow(List.of(), null, 14 * hour, 15 * hour, null));
        return TranscriptScenario.campaign(
                UPGRADE, TranscriptScenario.everything().windows(windows).retries(RetryRule.DEFAULT));
    }
}
