package dev.flotilla.runtime.retry;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Delays before retries. A delay doubles with each failure in a row, up to a maximum, and is then shortened by a random
 * part of up to a half: otherwise all processes that lost the same server would call it again at the same time.
 */
public final class JitteredBackoff {
    /** Shifting further would overflow no delay that starts below an hour. */
    private static final int MAX_DOUBLINGS = 30;

    private final long firstMillis;
    private final long maxMillis;
    private final RandomGenerator random;

    private JitteredBackoff(Duration first, Duration max, RandomGenerator random) {
        this.firstMillis = first.toMillis();
        this.maxMillis = max.toMillis();
        this.random = random;
    }

    /** Delays of at most {@code first} after the first failure, and at most {@code max} after many. */
    public static JitteredBackoff doubling(Duration first, Duration max) {
        return doubling(first, max, () -> ThreadLocalRandom.current().nextLong());
    }

    static JitteredBackoff doubling(Duration first, Duration max, RandomGenerator random) {
        if (first.toMillis() <= 0 || first.compareTo(max) > 0 || first.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("delays from " + first + " to " + max
                    + ": the first must be 1 ms to 1 h, and not above the maximum");
        }
        return new JitteredBackoff(first, max, random);
    }

    /** Delays of at most {@code delay}, after any number of failures. */
    public static JitteredBackoff constant(Duration delay) {
        return doubling(delay, delay);
    }

    /** Returns the delay after the first failure, in milliseconds. */
    public long delayMillis() {
        return delayMillis(1);
    }

    /**
     * Returns the delay in milliseconds.
     *
     * @param failures failures in a row, at least one
     */
    public long delayMillis(int failures) {
        long longest = Math.min(maxMillis, firstMillis << Math.clamp(failures - 1L, 0, MAX_DOUBLINGS));
        return longest - random.nextLong(longest / 2 + 1);
    }
}
