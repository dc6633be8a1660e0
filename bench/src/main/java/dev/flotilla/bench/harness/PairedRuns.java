package dev.flotilla.bench.harness;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Alternating runs of Flotilla and a plain client. The first pair warms up and is discarded. */
public final class PairedRuns {
    private static final double MAX_VARIATION = 0.25;

    private final double[] flotilla;
    private final double[] reference;

    public PairedRuns(double[] flotilla, double[] reference) {
        this.flotilla = flotilla.clone();
        this.reference = reference.clone();
    }

    /** A run of one side. */
    public interface MeasuredRun {
        double measure() throws InterruptedException;
    }

    public static PairedRuns runPairs(int pairs, MeasuredRun flotillaRun, MeasuredRun referenceRun)
            throws InterruptedException {
        double[] flotilla = new double[pairs];
        double[] reference = new double[pairs];
        flotillaRun.measure();
        referenceRun.measure();
        for (int i = 0; i < pairs; i++) {
            flotilla[i] = flotillaRun.measure();
            reference[i] = referenceRun.measure();
        }
        return new PairedRuns(flotilla, reference);
    }

    public double flotilla() {
        return Statistics.median(flotilla);
    }

    public double reference() {
        return Statistics.median(reference);
    }

    /** Ratio of the two values of each pair. */
    public double[] ratios() {
        double[] ratios = new double[flotilla.length];
        Arrays.setAll(ratios, i -> flotilla[i] / reference[i]);
        return ratios;
    }

    /** Describes that the plain client's runs vary too much for a valid ratio; null if they do not. */
    @Nullable
    public String describeVariation() {
        double variation = Statistics.variation(reference);
        return variation > MAX_VARIATION
                ? "the plain client's runs vary by " + Math.round(variation * 100) + " %"
                : null;
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
