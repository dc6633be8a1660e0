package dev.flotilla.simulator.run;

import dev.flotilla.simulator.leader.CrashingDecider;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.function.BooleanSupplier;

/**
 * The special stress on a world, determined by its seed.
 *
 * @param maximumSizes names, labels, policies and campaigns have the maximum size that codecs accept, and every record
 *     is measured
 * @param inputsPerException the core has a bug: it throws on one of this many records; zero for none
 * @param dueItemsPerException it also throws on one of this many pieces of due work; zero for none
 */
record WorldStressOptions(boolean maximumSizes, int inputsPerException, int dueItemsPerException) {
    private static final int WORLDS_WITH_MAXIMUM_SIZES = 10;
    private static final int WORLDS_WITH_INJECTED_BUGS = 20;

    static WorldStressOptions of(WorldConfig worldConfig) {
        SeededRandom chance = new SeededRandom(worldConfig.seed()).split("circumstances");
        boolean any = worldConfig.rates().crash() > 0;
        boolean maximumSizes = any && chance.percent(WORLDS_WITH_MAXIMUM_SIZES);
        boolean throwing = any && chance.percent(WORLDS_WITH_INJECTED_BUGS);
        return new WorldStressOptions(
                maximumSizes, throwing ? chance.between(60, 600) : 0, throwing ? chance.between(30, 300) : 0);
    }

    /** The variant with the injected bug. */
    SystemUnderTest of(SystemUnderTest systemUnderTest, long seed, BooleanSupplier active) {
        return inputsPerException == 0
                ? systemUnderTest
                : systemUnderTest.with(() -> new CrashingDecider(
                        systemUnderTest.decider().get(), active, seed, inputsPerException, dueItemsPerException));
    }
}
