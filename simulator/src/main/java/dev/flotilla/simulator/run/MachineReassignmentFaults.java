package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.List;

/** Moves machines to another cluster or changes their role during a run; some changes are mistakes and are reverted. */
final class MachineReassignmentFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_CHANGES = 15;
    private static final int MISTAKE_PERCENT = 60;

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
            scheduleNext();
        }
    }

    private void scheduleNext() {
        world.scheduler().after(chance.between(2 * MINUTE, 30 * MINUTE), () -> {
            if (world.faults().isActive()) {
                changeRandomMachine();
                scheduleNext();
            }
        });
    }

    private void changeRandomMachine() {
        List<SimMachine> machines = fleet.machines();
        if (machines.isEmpty()) {
            return;
        }
        SimMachine machine = chance.pick(machines);
        if (chance.percent(50)) {
            changeRole(machine);
        } else {
            move(machine);
        }
    }

    private void changeRole(SimMachine machine) {
        MachineRole before = machine.role();
        world.coverage().addCondition(CoverageCondition.ROLE_CHANGED);
        fleet.setRole(machine, before == MachineRole.WORKER ? MachineRole.CONTROL_PLANE : MachineRole.WORKER);
        revertLaterIfMistaken(machine, () -> fleet.setRole(machine, before));
    }

    private void move(SimMachine machine) {
        SimCluster before = machine.cluster();
        List<SimCluster> others =
                new ArrayList<>(fleet.site(machine.key().site()).clusters());
        others.remove(before);
        if (!others.isEmpty()) {
            world.coverage().addCondition(CoverageCondition.CLUSTER_CHANGED);
            fleet.moveToCluster(machine, chance.pick(others));
            revertLaterIfMistaken(machine, () -> fleet.moveToCluster(machine, before));
        }
    }

    private void revertLaterIfMistaken(SimMachine machine, Runnable undo) {
        if (chance.percent(MISTAKE_PERCENT)) {
            world.scheduler().after(chance.between(5000, 30 * MINUTE), () -> {
                if (fleet.machine(machine.key()) == machine) {
                    undo.run();
                }
            });
        }
    }
}
