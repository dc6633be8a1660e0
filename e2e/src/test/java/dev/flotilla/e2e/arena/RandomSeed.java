package dev.flotilla.e2e.arena;

import java.util.Random;

/** Seed of a test: given by a system property, or random and printed, so that a run can be repeated. */
public final class RandomSeed {
    private static final int PRINTABLE = 1_000_000;

    private RandomSeed() {}

    /** Makes the random generator of a test. */
    public static Random createRandom(Class<?> test) {
        String given = System.getProperty("flotilla.e2e.seed", "");
        long seed = given.isEmpty() ? Math.floorMod(System.nanoTime(), PRINTABLE) : Long.parseLong(given);
        System.out.println(test.getSimpleName() + ": -Dflotilla.e2e.seed=" + seed);
        return new Random(seed);
    }

    /** Number of machines of a test: given by a system property, or the default. */
    public static int machines(int usual) {
        return Integer.getInteger("flotilla.e2e.machines", usual);
    }
}
