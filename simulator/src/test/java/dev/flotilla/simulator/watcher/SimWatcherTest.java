package dev.flotilla.simulator.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SimWatcherTest {
    private static final int MACHINES = 12;
    private static final long MINUTE = 60_000;

    private final VirtualClockScheduler scheduler = new VirtualClockScheduler();
    private final Transcript transcript = new Transcript(scheduler, false);
    private final SimKafkaLog log = new SimKafkaLog(scheduler);
    private final SimFleet fleet = new SimFleet();
    private final SimSite site = fleet.addSite("north");
    private final List<SimMachine> machines = new ArrayList<>();

    /** As the product's watcher: while removals are withheld, the lists are in doubt. */
    @Test
    void keepsTheIntentOfADeletedOwnerWhileRemovalsAreWithheld() {
        SimCluster cluster = fleet.addCluster(site, "k", Labels.NONE);
        for (int i = 1; i <= MACHINES; i++) {
            machines.add(fleet.addMachine(
                    site, cluster, "k-w-" + i, MachineRole.WORKER, Labels.NONE, createNode("k-w-" + i)));
        }
        SimMachineOwner owner = cluster.owners().getFirst();
        fleet.setIntent(owner, new UpgradeTarget.Revision("3100"));
        SimWatcher watcher = startWatcher();
        advance(MINUTE);
        assertThat(newestIntent()).isInstanceOf(UpgradeIntent.class);

        machines.stream().skip(1).forEach(machine -> watcher.hideMachine(machine.key(), 2 * MINUTE));
        advance(MINUTE);
        fleet.remove(owner);
        advance(MINUTE / 2);
        assertThat(newestIntent()).as("while removals are withheld").isInstanceOf(UpgradeIntent.class);
        advance(2 * MINUTE);
        assertThat(newestIntent()).as("once all machines are back").isInstanceOf(Tombstone.class);
    }

    private SimNode createNode(String name) {
        return new SimNode(
                name,
                SnapReleases.OLDEST,
                NodeFaultProfile.withoutFaults(5 * MINUTE, 0),
                scheduler,
                transcript,
                new NodeCallLedger(),
                new SeededRandom(1),
                0,
                1);
    }

    private SimWatcher startWatcher() {
        SimWatcher watcher = new SimWatcher(
                new SimProcess(
                        "watcher", scheduler, FaultRateSchedule.none(scheduler), transcript, new SeededRandom(1), 0, 1),
                site,
                log,
                scheduler,
                transcript);
        fleet.watch(site.id(), watcher::objectChanged);
        watcher.process().start();
        return watcher;
    }

    private void advance(long millis) {
        long end = scheduler.now() + millis;
        while (scheduler.step(end)) {
            // Each step is one event.
        }
    }

    private @Nullable RowChange newestIntent() {
        TablePartition intents = TablePartition.of(Table.INTENTS, site.id());
        return new SimLogReader(log).upTo(intents, log.end(intents)).getLast().rowChange();
    }
}
