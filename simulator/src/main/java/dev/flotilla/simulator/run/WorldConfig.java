package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.StateComparisonIntervals;
import dev.flotilla.simulator.leader.LeaderLoopConfig;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.VirtualClockScheduler;

/**
 * The size and the faults of a world, determined by its seed.
 *
 * @param machines the approximate number of machines
 * @param faultsEndAt when all faults end
 * @param operatorChangesPerHour changes by operators per hour
 * @param processFaultsPerHour cut-offs and similar faults per hour
 */
public record WorldConfig(
        long seed,
        int machines,
        int sites,
        int orchestrators,
        int workersPerSite,
        long faultsEndAt,
        long endAt,
        FaultRateSchedule.FaultRates rates,
        int operatorChangesPerHour,
        int processFaultsPerHour,
        LeaderLoopConfig loopConfig,
        StateComparisonIntervals comparisons) {
    private static final int MINUTE = 60_000;
    private static final int LARGE = 1000;

    public static WorldConfig of(long seed) {
        SeededRandom chance = new SeededRandom(seed).split("plan");
        boolean large = seed % 100 == 0;
        int machines = large ? LARGE : size(chance);
        long faults = large ? 60L * MINUTE : chance.between(40, 170) * (long) MINUTE;
        FaultRateSchedule.FaultRates faultRates = chance.percent(10)
                ? FaultRateSchedule.FaultRates.NONE
                : new FaultRateSchedule.FaultRates(
                        large ? 5 : chance.between(5, 60), large ? 2 : chance.between(0, 20), chance.between(0, 60));
        return new WorldConfig(
                seed,
                machines,
                large ? 6 : chance.between(1, 3),
                chance.between(2, 3),
                chance.between(1, 2),
                VirtualClockScheduler.BEGIN + faults,
                VirtualClockScheduler.BEGIN + faults + 30L * 60 * MINUTE,
                faultRates,
                large ? 60 : chance.between(4, 40),
                chance.between(2, 14),
                new LeaderLoopConfig(chance.between(1000, 3000), chance.between(3, 200), chance.between(5, 400)),
                large
                        ? new StateComparisonIntervals(4, 80)
                        : seed % 5 == 0 ? new StateComparisonIntervals(1, 7) : new StateComparisonIntervals(5, 20));
    }

    private static int size(SeededRandom chance) {
        return chance.percent(60) ? chance.between(3, 24) : chance.between(20, 60);
    }
}
