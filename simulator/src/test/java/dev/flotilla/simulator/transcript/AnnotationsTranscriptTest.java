package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The workers of three clusters get an intent at once: at most two are in flight, and each cluster soaks after each of
 * its machines.
 */
class AnnotationsTranscriptTest {
    private static final int CLUSTERS = 3;
    private static final int WORKERS = 2;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void intentsKeepTheirCapAndClustersSoak() {
        String transcript = new TranscriptScenario(1, CLUSTERS * WORKERS, AnnotationsTranscriptTest::createFleet)
                .play(AnnotationsTranscriptTest::begin, AnnotationsTranscriptTest::isDone);

        assertThat(transcript).doesNotContain("machine-quarantined");
        GoldenTranscript.assertMatches("annotations-take-turns", transcript);
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        for (int c = 0; c < CLUSTERS; c++) {
            SimCluster cluster = fleet.addCluster(north, "k" + c, Labels.NONE);
            for (int i = 0; i < WORKERS; i++) {
                String machine = "k" + c + "-w-" + i;
                fleet.addMachine(
                        north, cluster, machine, MachineRole.WORKER, Labels.NONE, nodes.node(machine, WITHOUT_FAULTS));
            }
        }
    }

    private static void begin(SimWorld world) {
        world.operatorTables()
                .write(new UpgradePolicy(
                        FleetScope.FLEET,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        new UpgradePolicy.IntentRule(
                                new CountOrPercent.Count(2),
                                RetryRule.DEFAULT,
                                List.of(),
                                new CountOrPercent.Count(2),
                                new CountOrPercent.Count(1),
                                Duration.ofMinutes(10),
                                List.of(),
                                DrainMode.NEVER)));
        world.scheduler().after(TranscriptScenario.FLEET_KNOWN, () -> {
            UpgradeTarget target = new UpgradeTarget.Channel(SnapReleases.channel(1));
            for (SimMachineOwner owner : workers(world)) {
                world.transcript().append("operator", () -> "annotates " + owner.key() + " with " + target);
                world.fleet().setIntent(owner, target);
            }
        });
    }

    private static List<SimMachineOwner> workers(SimWorld world) {
        return world.fleet().owners().stream()
                .filter(owner -> owner.key().kind() == OwnerKind.MACHINE_DEPLOYMENT)
                .toList();
    }

    private static boolean isDone(SimWorld world) {
        return workers(world).stream()
                .allMatch(owner ->
                        world.committedRows().get(new RowKey(Table.STATUS, owner.key())) instanceof IntentStatus row
                                && row.state() == IntentStatus.IntentState.DONE);
    }
}
