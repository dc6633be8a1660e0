package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.operator.RandomPolicies;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import org.junit.jupiter.api.Test;

/**
 * A MachineDeployment's intent changes to the next release during the upgrade, while it loses one machine and gets
 * another.
 */
class OwnerIntentTranscriptTest {
    private static final OwnerKey WORKERS =
            new OwnerKey(new SiteId("north"), OwnerKind.MACHINE_DEPLOYMENT, "fleet", "k-workers");
    private static final int CAP = 4;
    private static final int MACHINES = 5;
    private static final int NEXT = SnapReleases.OLDEST + 100;
    private static final int NEXT_PATCH = NEXT + 1;
    private static final long FLEET_KNOWN = 15_000;
    private static final NodeFaultProfile WITHOUT_FAULTS = NodeFaultProfile.withoutFaults(300_000, 20);

    @Test
    void deploymentFollowsAnIntentThatChangesDuringARefresh() {
        SimWorld[] seen = new SimWorld[1];
        String transcript = new TranscriptScenario(1, MACHINES, OwnerIntentTranscriptTest::createFleet)
                .whenMatches("k-w-2 .*is called for attempt", world -> {
                    seen[0] = world;
                    setIntent(world, new UpgradeTarget.Revision(Integer.toString(NEXT_PATCH)));
                    scale(world);
                })
                .play(OwnerIntentTranscriptTest::begin, OwnerIntentTranscriptTest::isDone);

        assertThat(transcript).contains("intent-status-changed " + WORKERS + ": done");
        assertThat(seen[0].fleet().machines())
                .allSatisfy(machine -> assertThat(machine.node().revision())
                        .as("%s of %s", machine.key(), machine.owner().key())
                        .isEqualTo(expectedRevision(machine)));
        GoldenTranscript.assertMatches("a-deployments-target-changes", transcript);
    }

    private static int expectedRevision(SimMachine machine) {
        if (machine.owner().key().equals(WORKERS)) {
            return NEXT_PATCH;
        }
        return machine.role() == MachineRole.CONTROL_PLANE ? NEXT : SnapReleases.OLDEST;
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite north = fleet.addSite("north");
        SimCluster cluster = fleet.addCluster(north, "k", Labels.NONE);
        fleet.addMachine(
                north,
                cluster,
                "k-cp-1",
                MachineRole.CONTROL_PLANE,
                Labels.NONE,
                nodes.node("k-cp-1", NEXT, WITHOUT_FAULTS));
        for (int i = 1; i < MACHINES; i++) {
            String machine = "k-w-" + i;
            fleet.addMachine(
                    north, cluster, machine, MachineRole.WORKER, Labels.NONE, nodes.node(machine, WITHOUT_FAULTS));
        }
    }

    private static void begin(SimWorld world) {
        world.operatorTables().write(RandomPolicies.capped(CAP));
        world.scheduler()
                .after(FLEET_KNOWN, () -> setIntent(world, new UpgradeTarget.Channel(SnapReleases.channel(1))));
    }

    private static void setIntent(SimWorld world, UpgradeTarget target) {
        world.transcript().append("operator", () -> "annotates " + WORKERS + " with " + target);
        world.fleet().setIntent(workers(world), target);
    }

    private static void scale(SimWorld world) {
        world.transcript().append("operator", () -> "adds k-w-5 and removes k-w-4");
        SimMachineOwner workers = workers(world);
        world.fleet()
                .addMachine(
                        workers,
                        "k-w-5",
                        MachineRole.WORKER,
                        Labels.NONE,
                        world.nodes().node("k-w-5", WITHOUT_FAULTS));
        for (SimMachine machine : workers.machines()) {
            if (machine.key().name().equals("k-w-4")) {
                world.fleet().remove(machine);
            }
        }
    }

    private static SimMachineOwner workers(SimWorld world) {
        return world.fleet().owners().stream()
                .filter(owner -> owner.key().equals(WORKERS))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isDone(SimWorld world) {
        return world.committedRows().get(new RowKey(Table.STATUS, WORKERS)) instanceof IntentStatus row
                && row.state() == IntentStatus.IntentState.DONE
                && row.target().equals(new UpgradeTarget.Revision(Integer.toString(NEXT_PATCH)));
    }
}
