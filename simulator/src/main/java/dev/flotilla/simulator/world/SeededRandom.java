package dev.flotilla.simulator.world;

import java.util.List;

/**
 * Random numbers from a seed (SplitMix64), equal on every JVM. Each part of the world splits off its own stream by
 * name, so that an additional draw in one part leaves all other parts unchanged.
 */
public final class SeededRandom {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int THOUSAND = 1000;

    private final long seed;
    private long state;

    public SeededRandom(long seed) {
        this.seed = seed;
        this.state = mix(seed + GOLDEN);
    }

    /** An independent stream that depends on the seed and the name, but not on earlier draws. */
    public SeededRandom split(String name) {
        long hash = seed;
        for (int i = 0; i < name.length(); i++) {
            hash = mix(hash * 31 + name.charAt(i) + GOLDEN);
        }
        return new SeededRandom(hash);
    }

    public long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 to {@code bound} - 1. */
    public int below(int bound) {
        return (int) Long.remainderUnsigned(next() >>> 1, bound);
    }

    /** From {@code low} to {@code high}, both included. */
    public long between(long low, long high) {
        return low + Long.remainderUnsigned(next() >>> 1, high - low + 1);
    }

    public int between(int low, int high) {
        return low + below(high - low + 1);
    }

    public boolean perMille(int share) {
        return below(THOUSAND) < share;
    }

    public boolean percent(int share) {
        return below(100) < share;
    }

    public <T> T pick(List<T> list) {
        return list.get(below(list.size()));
    }

    /** Shuffles a list in place. */
    public <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            int j = below(i + 1);
            T swapped = list.get(i);
            list.set(i, list.get(j));
            list.set(j, swapped);
        }
    }

    /**
     * A duration around a middle value, with a tail to the right: a sum of uniform draws instead of a curve, because
     * exponentials may differ in the last bit between JVMs.
     *
     * @param spreadPercent half the width of the spread
     */
    public long around(long middle, int spreadPercent) {
        long spread = middle * spreadPercent / 100;
        long sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += between(-spread, spread);
        }
        long duration = middle + sum / 2;
        if (duration > middle && percent(10)) {
            duration += (duration - middle) * 2;
        }
        return Math.max(1, duration);
    }

    private static long mix(long value) {
        long mixed = value;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
