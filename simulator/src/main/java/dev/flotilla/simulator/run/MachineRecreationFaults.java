package dev.flotilla.simulator.run;

import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.List;

/**
 * Creates machine objects again for the nodes that they had: the same name, another uid. A restored backup does that, a
 * move to another management cluster, or an operator who deletes a machine and applies it again. Mostly it happens to
 * machines that are being upgraded or have failed. Some of them are deleted soon after.
 */
final class MachineRecreationFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_RECREATIONS = 20;
    private static final int DELETED_AGAIN = 30;

    private final SimWorld world;
    private final SeededRandom chance;

    MachineRecreationFaults(SimWorld world) {
        this.world = world;
        this.chance = world.chance().split("recreations");
    }

    void begin() {
        if (chance.percent(WORLDS_WITH_RECREATIONS)) {
            scheduleNext();
        }
    }

    private void scheduleNext() {
        world.scheduler().after(chance.between(MINUTE, 15 * MINUTE), () -> {
            if (world.faults().isActive()) {
                recreate();
                scheduleNext();
            }
        });
    }

    private void recreate() {
        List<SimMachine> all = world.fleet().machines();
        List<SimMachine> known = all.stream()
                .filter(machine -> world.committedRows().all(MachineStatus.class).stream()
                        .anyMatch(status -> status.key().equals(machine.key())
                                && (status.attempt() != null || status.lastFailure() != null)))
                .toList();
        List<SimMachine> some = known.isEmpty() ? all : known;
        if (!some.isEmpty()) {
            SimMachine machine = chance.pick(some);
            world.fleet().recreate(machine);
            if (chance.percent(DELETED_AGAIN)) {
                delete(machine);
            }
        }
    }

    private void delete(SimMachine machine) {
        world.scheduler()
                .after(chance.between(1000, MINUTE), () -> world.fleet().delete(machine));
        world.scheduler().after(chance.between(2 * MINUTE, 5 * MINUTE), () -> {
            if (world.fleet().machine(machine.key()) == machine) {
                world.fleet().remove(machine);
            }
        });
    }
}
