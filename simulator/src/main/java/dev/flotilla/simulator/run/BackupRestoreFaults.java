package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SiteObjectsBackup;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Restores the store of a management cluster from a backup that is minutes or hours old. Machines deleted since
 * reappear with their old uids, machines created since are missing, and annotations have their old values. The nodes
 * are unaffected. Some reappearing machines are deleted again, and some missing ones are created again.
 */
final class BackupRestoreFaults {
    private static final int MINUTE = 60_000;
    private static final int WORLDS_WITH_RESTORES = 10;
    private static final int HALF = 50;

    private final SimWorld world;
    private final SeededRandom chance;
    private final Map<SiteId, List<SiteObjectsBackup>> backups = new LinkedHashMap<>();

    BackupRestoreFaults(SimWorld world) {
        this.world = world;
        this.chance = world.chance().split("restored-stores");
    }

    void begin() {
        if (world.config().rates().crash() > 0 && chance.percent(WORLDS_WITH_RESTORES)) {
            backUp();
            restoreLater();
        }
    }

    private void backUp() {
        if (world.faults().isActive()) {
            for (SiteId site : world.watchers().keySet()) {
                backups.computeIfAbsent(site, absent -> new ArrayList<>())
                        .add(world.fleet().backUp(site));
            }
            world.scheduler().after(chance.between(5 * MINUTE, 15 * MINUTE), this::backUp);
        }
    }

    private void restoreLater() {
        world.scheduler().after(chance.between(15 * MINUTE, 60 * MINUTE), () -> {
            if (world.faults().isActive()) {
                SiteId site = chance.pick(List.copyOf(backups.keySet()));
                restore(site, chance.pick(backups.getOrDefault(site, List.of())));
                restoreLater();
            }
        });
    }

    private void restore(SiteId site, SiteObjectsBackup backup) {
        List<SimMachine> before = List.copyOf(world.fleet().site(site).machines());
        world.transcript().append("world", () -> "the store of site " + site + " is restored from a backup");
        world.coverage().addCondition(CoverageCondition.STORE_RESTORED);
        world.fleet().restore(backup);
        List<SimMachine> after = List.copyOf(world.fleet().site(site).machines());
        for (SimMachine machine : after) {
            boolean reappeared = !before.contains(machine);
            if (machine.deleting() || (reappeared && (isDuplicate(machine) || chance.percent(HALF)))) {
                runLater(() -> world.fleet().delete(machine));
                world.scheduler().after(chance.between(11 * MINUTE, 15 * MINUTE), () -> {
                    if (world.fleet().machine(machine.key()) == machine) {
                        world.fleet().remove(machine);
                    }
                });
            }
        }
        for (SimMachine machine : before) {
            if (!after.contains(machine) && !isDuplicate(machine) && chance.percent(HALF)) {
                runLater(() -> createAgain(machine));
            }
        }
    }

    private void runLater(Runnable action) {
        world.scheduler().after(chance.between(1000, 10 * MINUTE), action);
    }

    /** Creates an object of the same name again, as an owner does that finds its node. */
    private void createAgain(SimMachine machine) {
        boolean owned = machine.cluster().owners().contains(machine.owner());
        if (owned && world.fleet().machine(machine.key()) == null) {
            world.fleet()
                    .addMachine(
                            machine.owner(),
                            machine.key().name(),
                            machine.role(),
                            machine.row().labels(),
                            machine.node());
        }
    }

    /** Whether the machine shares its node with a machine of another site, until it is removed. */
    private static boolean isDuplicate(SimMachine machine) {
        return machine.key().name().endsWith("-twin");
    }
}
