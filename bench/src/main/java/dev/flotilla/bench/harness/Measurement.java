package dev.flotilla.bench.harness;

import org.jspecify.annotations.Nullable;

/**
 * One measured value with its floor and goal.
 *
 * @param detail conditions of the worst value, or how it was measured; null if the name is enough
 * @param better direction that is better
 * @param floor null for a value that is only published
 * @param isGating whether a value below the floor fails the run
 * @param spread number of pairs of runs and their confidence interval; null for counts and virtual time
 */
public record Measurement(
        String id,
        String name,
        @Nullable String detail,
        double value,
        String unit,
        BetterDirection better,
        @Nullable Double floor,
        @Nullable Double goal,
        boolean isGating,
        @Nullable ConfidenceInterval spread) {

    /** Direction in which a value is better. */
    public enum BetterDirection {
        LOWER("lower"),
        HIGHER("higher");

        private final String label;

        BetterDirection(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** What a value meets. */
    public enum MeasurementVerdict {
        GOAL("goal"),
        FLOOR("floor"),
        NO("no");

        private final String label;

        MeasurementVerdict(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** The 90 % bootstrap interval over a number of pairs of runs. */
    public record ConfidenceInterval(int pairs, double low, double high) {}

    /** Makes a value that gates and is exact enough to have no interval. */
    public static Measurement gatingMeasurement(
            String id,
            String name,
            @Nullable String detail,
            double value,
            String unit,
            BetterDirection betterDirection,
            double floor,
            double goal) {
        return new Measurement(id, name, detail, value, unit, betterDirection, floor, goal, true, null);
    }

    /** Makes a value with floor and goal that does not gate. */
    public static Measurement judgedMeasurement(
            String id,
            String name,
            @Nullable String detail,
            double value,
            String unit,
            BetterDirection betterDirection,
            double floor,
            double goal,
            ConfidenceInterval confidenceInterval) {
        return new Measurement(id, name, detail, value, unit, betterDirection, floor, goal, false, confidenceInterval);
    }

    /** Makes a value without floor and goal. */
    public static Measurement informationalMeasurement(
            String id,
            String name,
            @Nullable String detail,
            double value,
            String unit,
            BetterDirection betterDirection) {
        return new Measurement(id, name, detail, value, unit, betterDirection, null, null, false, null);
    }

    /** What the value meets; a value without floor and goal meets its goal. */
    public MeasurementVerdict verdict() {
        if (meets(goal)) {
            return MeasurementVerdict.GOAL;
        }
        return meets(floor) ? MeasurementVerdict.FLOOR : MeasurementVerdict.NO;
    }

    public boolean isFailed() {
        return isGating && verdict() == MeasurementVerdict.NO;
    }

    private boolean meets(@Nullable Double limit) {
        return limit == null || (better == BetterDirection.LOWER ? value <= limit : value >= limit);
    }
}
