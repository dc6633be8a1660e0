package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.List;

/** Removes the inventory rows of existing machines for a while, as a changed filter, a stale cache or a move does. */
final class InventoryFlapFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_FLAPS = 40;

    private final SimWorld world;
    private final SeededRandom chance;

    InventoryFlapFaults(SimWorld world) {
        this.world = world;
        this.chance = world.chance().split("row-flaps");
    }

    void begin() {
        if (world.config().rates().crash() > 0 && chance.percent(WORLDS_WITH_FLAPS)) {
            scheduleNext();
        }
    }

    private void scheduleNext() {
        world.scheduler().after(chance.between(MINUTE, 20 * MINUTE), () -> {
            if (world.faults().isActive()) {
                hideRandomMachine();
                scheduleNext();
            }
        });
    }

    private void hideRandomMachine() {
        List<SimMachine> machines = world.fleet().machines();
        MachineKey key = machines.isEmpty() ? null : chance.pick(machines).key();
        SimWatcher watcher = key == null ? null : world.watchers().get(key.site());
        if (key != null && watcher != null) {
            int length =
                    chance.percent(60) ? chance.between(2000, 3 * MINUTE) : chance.between(3 * MINUTE, 60 * MINUTE);
            watcher.hideMachine(
                    key,
                    Math.min(length, world.faults().end() - world.scheduler().now()));
        }
    }
}
