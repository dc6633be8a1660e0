package dev.flotilla.e2e.arena;

import java.util.Random;

/** Where chance begins: as asked for, or anew, and printed so that it can be asked for. */
public final class RandomSeed {
    private static final int PRINTABLE = 1_000_000;

    private RandomSeed() {}

    /** A source of chance for a test. */
    public static Random createRandom(Class<?> test) {
        String asked = System.getProperty("flotilla.e2e.seed", "");
        long seed = asked.isEmpty() ? Math.floorMod(System.nanoTime(), PRINTABLE) : Long.parseLong(asked);
        System.out.println(test.getSimpleName() + ": -Dflotilla.e2e.seed=" + seed);
        return new Random(seed);
    }

    /** How many machines a test has that may have any number: as asked for, or as usual. */
    public static int machines(int usual) {
        return Integer.getInteger("flotilla.e2e.machines", usual);
    }
}
