package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.simulator.inplace.InPlaceCluster.InPlaceMachine;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.List;

/** What happens to Machines, their tasks and clusters in the middle of an upgrade. */
final class InPlaceAccidents {
    private final InPlaceScene world;
    private final SeededRandom chance;
    private final SeededRandom deletedTasks;

    InPlaceAccidents(InPlaceScene world, long seed) {
        this.world = world;
        this.chance = new SeededRandom(seed).split("accidents");
        this.deletedTasks = new SeededRandom(seed).split("deleted tasks");
    }

    /** Whether a call is still going on when its worker has reported its beginning. */
    boolean callTakesLonger() {
        return chance.percent(40);
    }

    void mayHappen() {
        if (deletedTasks.percent(4)) {
            deleteTask();
        }
        if (!chance.percent(5)) {
            return;
        }
        InPlaceCluster cluster = chance.pick(List.copyOf(world.clusters()));
        InPlaceMachine machine = chance.pick(cluster.machines);
        int drawn = chance.below(100);
        if (drawn < 25) {
            createAgain(cluster, machine);
        } else if (drawn < 85) {
            changeRequest(machine, drawn);
        } else if (drawn < 92) {
            createAgain(cluster);
        } else {
            removeCampaign();
        }
    }

    /** Somebody deletes the task of a machine that it may have upgraded, and Cluster API asks again for the same. */
    private void deleteTask() {
        List<InPlaceMachine> machines = world.clusters().stream()
                .flatMap(cluster -> cluster.machines.stream())
                .filter(machine -> machine.requested != null)
                .toList();
        if (!machines.isEmpty()) {
            InPlaceMachine machine = deletedTasks.pick(machines);
            machine.tasks++;
            world.markChanged(machine);
        }
    }

    private void changeRequest(InPlaceMachine machine, int drawn) {
        if (machine.requested == null) {
            return;
        }
        if (drawn < 45) {
            // Somebody deletes the task, and Cluster API asks again for the same.
            machine.tasks++;
        } else if (drawn < 60) {
            machine.request(machine.requested, machine.requestedByHash);
        } else if (drawn < 75) {
            machine.editedAgain = machine.requestedByHash;
        } else {
            machine.requested = null;
        }
        world.markChanged(machine);
    }

    private void createAgain(InPlaceCluster cluster, InPlaceMachine machine) {
        machine.createAgain(String.valueOf(cluster.versions.get(machine.owner)));
        if (chance.percent(50)) {
            world.remove(Table.INTENTS, machine.key);
            world.remove(Table.INVENTORY, machine.key);
        }
        world.markChanged(machine);
    }

    /** A cluster is deleted with its Machines, and created again as it was at first. */
    private void createAgain(InPlaceCluster cluster) {
        cluster.topologyVersion = InPlaceWorld.OLD;
        cluster.versions.replaceAll((owner, version) -> InPlaceWorld.OLD);
        for (InPlaceMachine machine : cluster.machines) {
            machine.createAgain(InPlaceWorld.OLD);
            world.remove(Table.INTENTS, machine.key);
            world.remove(Table.INVENTORY, machine.key);
            world.markChanged(machine);
        }
        world.remove(Table.INVENTORY, cluster.key);
        world.invariants().clusterDeleted(cluster.key);
        world.markChanged(cluster);
        // A watcher reads the Machines of a cluster together.
        world.publishAll();
    }

    /** Somebody removes a campaign that may not have ended. A paused one stays. */
    private void removeCampaign() {
        String name = chance.pick(InPlaceOperators.NAMES);
        CampaignStatus status = world.operators().status(name);
        if (status != null && status.state() != CampaignState.PAUSED) {
            world.operators().removeCampaign(name);
        }
    }
}
