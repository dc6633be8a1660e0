package dev.flotilla.auditor.check;

/** The upper bound of Wilson's interval for a share of failures, with a prior of half a failure in ten machines. */
final class WilsonInterval {
    private static final double GUESSED_FAILURES = 0.5;
    private static final int GUESSED = 10;

    private WilsonInterval() {}

    static double upperBound(long failed, long ended, long confidence) {
        double z = quantile(confidence / 100.0);
        double all = ended + GUESSED;
        double share = (failed + GUESSED_FAILURES) / all;
        double spread = Math.sqrt(share * (1 - share) / all + z * z / (4 * all * all));
        return Math.min(1, (share + z * z / (2 * all) + z * spread) / (1 + z * z / all));
    }

    /** A quantile of the normal distribution, found by bisection. */
    private static double quantile(double share) {
        double low = 0;
        double high = 4;
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            if (below(middle) < share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The cumulative normal distribution below a point, by its series. */
    private static double below(double point) {
        double term = point;
        double sum = point;
        for (int i = 1; i < 100; i++) {
            term *= point * point / (2 * i + 1);
            sum += term;
        }
        return 0.5 + sum * Math.exp(-point * point / 2) / Math.sqrt(2 * Math.PI);
    }
}
