package dev.flotilla.simulator.rollout;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/** How long each machine of a fleet takes, by its number, from its admission to its proof. Whole milliseconds. */
public final class MachineUpgradeDurations {
    private final long[] millis;

    private MachineUpgradeDurations(long[] millis) {
        this.millis = millis;
    }

    /** The given duration for each machine. */
    public static MachineUpgradeDurations of(long... millis) {
        return new MachineUpgradeDurations(millis.clone());
    }

    /** The same duration for all machines. */
    public static MachineUpgradeDurations equal(int machines, Duration duration) {
        long[] millis = new long[machines];
        Arrays.fill(millis, duration.toMillis());
        return new MachineUpgradeDurations(millis);
    }

    /**
     * Lognormal durations: the median times e to the power of a normal number with this deviation. Equal seeds give
     * equal durations in every JVM.
     */
    public static MachineUpgradeDurations lognormal(int machines, Duration median, double sigma, long seed) {
        Random random = new Random(seed);
        long[] millis = new long[machines];
        for (int i = 0; i < machines; i++) {
            millis[i] = Math.max(1, (long) (median.toMillis() * StrictMath.exp(sigma * random.nextGaussian())));
        }
        return new MachineUpgradeDurations(millis);
    }

    public int machines() {
        return millis.length;
    }

    public long millis(int machine) {
        return millis[machine];
    }
}
