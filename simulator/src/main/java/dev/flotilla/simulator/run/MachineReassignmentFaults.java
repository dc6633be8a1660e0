package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** Machines that become those of another cluster, or of another role, in the middle of it all: by mistake, which is put right, or not. */
final class MachineReassignmentFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_CHANGES = 15;
    private static final int MISTAKES = 60;

    private final SimWorld world;
    private final SimFleet fleet;
    private final SeededRandom chance;

    MachineReassignmentFaults(SimWorld world) {
        this.world = world;
        this.fleet = world.fleet();
        this.chance = world.chance().split("changed-rows");
    }

    void begin() {
        if (world.config().rates().crash() > 0 && chance.percent(WORLDS_WITH_CHANGES)) {
            again();
        }
    }

    private void again() {
        world.scheduler().after(chance.between(2 * MINUTE, 30 * MINUTE), () -> {
            if (world.faults().isActive()) {
                change();
                again();
            }
        });
    }

    private void change() {
        List<SimMachine> machines = fleet.machines();
        if (machines.isEmpty()) {
            return;
        }
        SimMachine machine = chance.pick(machines);
        if (chance.percent(50)) {
            cast(machine);
        } else {
            move(machine);
        }
    }

    private void cast(SimMachine machine) {
        MachineRole before = machine.role();
        world.occurrences().addCondition(CoverageCondition.ROLE_CHANGED);
        fleet.setRole(machine, before == MachineRole.WORKER ? MachineRole.CONTROL_PLANE : MachineRole.WORKER);
        laterIfMistaken(machine, () -> fleet.setRole(machine, before));
    }

    private void move(SimMachine machine) {
        SimCluster before = machine.cluster();
        List<SimCluster> others =
                new ArrayList<>(fleet.site(machine.key().site()).clusters());
        others.remove(before);
        if (!others.isEmpty()) {
            world.occurrences().addCondition(CoverageCondition.CLUSTER_CHANGED);
            fleet.moveToCluster(machine, chance.pick(others));
            laterIfMistaken(machine, () -> fleet.moveToCluster(machine, before));
        }
    }

    private void laterIfMistaken(SimMachine machine, Runnable undo) {
        if (chance.percent(MISTAKES)) {
            world.scheduler().after(chance.between(5000, 30 * MINUTE), () -> {
                if (fleet.machine(machine.key()) == machine) {
                    undo.run();
                }
            });
        }
    }
}
