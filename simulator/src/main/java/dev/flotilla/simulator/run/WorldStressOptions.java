package dev.flotilla.simulator.run;

import dev.flotilla.simulator.leader.CrashingDecider;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.function.BooleanSupplier;

/**
 * What is special about a world, from its seed alone.
 *
 * @param maximumSizes names, labels, policies and campaigns are as large as codecs take them, and every record is weighed
 * @param inputsPerException the core has a bug: it throws on one record in so many; zero for none
 * @param dueItemsPerException and on one in so many of what falls due; zero for none
 */
record WorldStressOptions(boolean maximumSizes, int inputsPerException, int dueItemsPerException) {
    private static final int WORLDS_TO_THE_BRIM = 10;
    private static final int WORLDS_WITH_TRIPWIRES = 20;

    static WorldStressOptions of(WorldConfig worldConfig) {
        SeededRandom chance = new SeededRandom(worldConfig.seed()).split("circumstances");
        boolean any = worldConfig.rates().crash() > 0;
        boolean brim = any && chance.percent(WORLDS_TO_THE_BRIM);
        boolean trips = any && chance.percent(WORLDS_WITH_TRIPWIRES);
        return new WorldStressOptions(brim, trips ? chance.between(60, 600) : 0, trips ? chance.between(30, 300) : 0);
    }

    /** The variant with the bug in it. */
    SystemUnderTest of(SystemUnderTest systemUnderTest, long seed, BooleanSupplier active) {
        return inputsPerException == 0
                ? systemUnderTest
                : systemUnderTest.with(() -> new CrashingDecider(
                        systemUnderTest.decider().get(), active, seed, inputsPerException, dueItemsPerException));
    }
}
