package dev.flotilla.core.fleet.limits;

/**
 * Estimates how many machines in flight are expected to fail at a confidence: the upper end of Wilson's interval for
 * the failure rate, with a prior of one in twenty worth ten machines. Computed in integers and never rounded down, so
 * that every JVM has the same result.
 */
public final class FailureBudgetEstimator {
    private static final int MIN_CONFIDENCE = 50;

    /** Quantiles of the normal distribution from 50 % to 99 %, in thousandths and rounded up. */
    private static final int[] QUANTILES = {
        0, 26, 51, 76, 101, 126, 151, 177, 202, 228, 254, 280, 306, 332, 359, 386, 413, 440, 468, 496, 525, 554, 583,
        613, 644, 675, 707, 739, 773, 807, 842, 878, 916, 955, 995, 1037, 1081, 1127, 1175, 1227, 1282, 1341, 1406,
        1476, 1555, 1645, 1751, 1881, 2054, 2327
    };

    private static final long THOUSAND = 1000;
    private static final long MILLION = 1_000_000;

    /** The prior counts as ten machines; one in twenty of them is half a machine. */
    private static final int PRIOR_MACHINES = 10;

    private FailureBudgetEstimator() {}

    /** The failure rate, in millionths, that is not exceeded with this confidence in percent. */
    static long upperFailureRate(long failed, long ended, int confidence) {
        long z = QUANTILES[confidence - MIN_CONFIDENCE];
        long machines = ended + PRIOR_MACHINES;
        long failures = (2 * failed + 1) * THOUSAND / 2;
        long spread = ceil(failures * (machines * THOUSAND - failures), machines) + ceil(z * z, 4);
        long high = failures * THOUSAND + ceil(z * z, 2) + z * root(spread);
        return Math.min(MILLION, ceil(high * MILLION, machines * MILLION + z * z));
    }

    /** How many machines in flight are expected to fail. */
    public static long expectedFailures(long inFlight, long failed, long ended, int confidence) {
        return ceil(inFlight * upperFailureRate(failed, ended, confidence), MILLION);
    }

    private static long ceil(long number, long by) {
        return (number + by - 1) / by;
    }

    /** The square root, rounded up. */
    private static long root(long square) {
        long low = 0;
        long high = 3_037_000_499L;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (middle * middle >= square) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
