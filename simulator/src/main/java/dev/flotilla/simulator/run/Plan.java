package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.Comparisons;
import dev.flotilla.simulator.leader.LeaderPace;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;

/**
 * The size and the temper of a world, from its seed alone.
 *
 * @param machines about how many
 * @param faultsEnd when everything becomes well
 * @param busyness changes by people in an hour
 * @param troubles cut-offs and the like in an hour
 */
public record Plan(
        long seed,
        int machines,
        int sites,
        int orchestrators,
        int workersPerSite,
        long faultsEnd,
        long end,
        Faults.Rates rates,
        int busyness,
        int troubles,
        LeaderPace pace,
        Comparisons comparisons) {
    private static final int MINUTE = 60_000;
    private static final int LARGE = 1000;

    public static Plan of(long seed) {
        Chance chance = new Chance(seed).split("plan");
        boolean large = seed % 100 == 0;
        int machines = large ? LARGE : size(chance);
        long faults = large ? 60L * MINUTE : chance.between(40, 170) * (long) MINUTE;
        Faults.Rates rates = chance.percent(10)
                ? Faults.Rates.NONE
                : new Faults.Rates(
                        large ? 5 : chance.between(5, 60), large ? 2 : chance.between(0, 20), chance.between(0, 60));
        return new Plan(
                seed,
                machines,
                large ? 6 : chance.between(1, 3),
                chance.between(2, 3),
                chance.between(1, 2),
                Scheduler.BEGIN + faults,
                Scheduler.BEGIN + faults + 30L * 60 * MINUTE,
                rates,
                large ? 60 : chance.between(4, 40),
                chance.between(2, 14),
                new LeaderPace(chance.between(1000, 3000), chance.between(3, 200), chance.between(5, 400)),
                large ? new Comparisons(4, 80) : seed % 5 == 0 ? new Comparisons(1, 1) : new Comparisons(5, 20));
    }

    private static int size(Chance chance) {
        return chance.percent(60) ? chance.between(3, 24) : chance.between(20, 60);
    }
}
