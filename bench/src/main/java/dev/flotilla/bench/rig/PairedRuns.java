package dev.flotilla.bench.rig;

import dev.flotilla.bench.Measurement;
import dev.flotilla.bench.Measurements;
import dev.flotilla.bench.Statistics;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Alternating runs of Flotilla and a plain client. The first pair warms up and is discarded. */
public final class PairedRuns {
    private static final double MAX_VARIATION = 0.25;

    private final double[] ours;
    private final double[] theirs;

    public PairedRuns(double[] ours, double[] theirs) {
        this.ours = ours.clone();
        this.theirs = theirs.clone();
    }

    /** A run of one side. */
    public interface MeasuredRun {
        double measure() throws InterruptedException;
    }

    public static PairedRuns runPairs(int pairs, MeasuredRun our, MeasuredRun their) throws InterruptedException {
        double[] ours = new double[pairs];
        double[] theirs = new double[pairs];
        our.measure();
        their.measure();
        for (int i = 0; i < pairs; i++) {
            ours[i] = our.measure();
            theirs[i] = their.measure();
        }
        return new PairedRuns(ours, theirs);
    }

    public double ours() {
        return Statistics.median(ours);
    }

    public double theirs() {
        return Statistics.median(theirs);
    }

    /** Ratio of the two values of each pair. */
    public double[] ratios() {
        double[] ratios = new double[ours.length];
        Arrays.setAll(ratios, i -> ours[i] / theirs[i]);
        return ratios;
    }

    /** Describes that the plain client's runs vary too much for a valid ratio; null if they do not. */
    @Nullable
    public String describeVariation() {
        double variation = Statistics.variation(theirs);
        return variation > MAX_VARIATION ? "the plain client's runs vary by " + Math.round(variation * 100) + " %" : null;
    }

    /** Adds the median ratio as a value that does not gate. */
    public void add(
            Measurements measurements,
            String id,
            String name,
            String detail,
            Measurement.BetterDirection betterDirection,
            double floor,
            double goal) {
        double[] ratios = ratios();
        measurements.add(Measurement.judgedMeasurement(
                id,
                name,
                detail,
                Statistics.median(ratios),
                "ratio",
                betterDirection,
                floor,
                goal,
                Statistics.spread(ratios)));
        String unsteady = describeVariation();
        if (unsteady != null) {
            measurements.addInvalid(id, unsteady);
        }
    }
}
