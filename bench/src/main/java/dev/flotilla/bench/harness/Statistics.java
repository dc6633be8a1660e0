package dev.flotilla.bench.harness;

import java.util.Arrays;
import java.util.Random;

/** Statistics of measured values. */
public final class Statistics {
    private static final int RESAMPLES = 2000;
    private static final long SEED = 1;
    private static final double TAIL = 0.05;

    private Statistics() {}

    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The least value that so many percent of the values do not exceed. */
    public static double percentile(int percent, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) ((sorted.length - 1L) * percent / 100)];
    }

    /** Bootstrap interval of the median, 90 %. */
    public static Measurement.ConfidenceInterval spread(double... values) {
        Random random = new Random(SEED);
        double[] medians = new double[RESAMPLES];
        double[] drawn = new double[values.length];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int j = 0; j < drawn.length; j++) {
                drawn[j] = values[random.nextInt(values.length)];
            }
            medians[i] = median(drawn);
        }
        Arrays.sort(medians);
        int tail = (int) (RESAMPLES * TAIL);
        return new Measurement.ConfidenceInterval(values.length, medians[tail], medians[RESAMPLES - 1 - tail]);
    }

    /** Exponent with which the cost grows with the size: the slope of the line through the logarithms. */
    public static double exponent(double[] sizes, double[] costs) {
        double[] x = Arrays.stream(sizes).map(Math::log).toArray();
        double[] y = Arrays.stream(costs).map(Math::log).toArray();
        double meanX = Arrays.stream(x).average().orElseThrow();
        double meanY = Arrays.stream(y).average().orElseThrow();
        double covariance = 0;
        double variance = 0;
        for (int i = 0; i < x.length; i++) {
            covariance += (x[i] - meanX) * (y[i] - meanY);
            variance += (x[i] - meanX) * (x[i] - meanX);
        }
        return covariance / variance;
    }

    /** Spread of values, as a share of their median. */
    public static double variation(double... values) {
        double least = Arrays.stream(values).min().orElseThrow();
        double most = Arrays.stream(values).max().orElseThrow();
        return (most - least) / median(values);
    }
}
