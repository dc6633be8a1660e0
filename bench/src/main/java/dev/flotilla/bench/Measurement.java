package dev.flotilla.bench;

import org.jspecify.annotations.Nullable;

/**
 * One measured figure beside what it may not fall below and what it is after.
 *
 * @param detail under what it was worst, or how it was taken; null where the name says it all
 * @param better which way is better
 * @param floor null for a figure that is only published
 * @param isGating whether falling below the floor fails the run
 * @param spread how many pairs of runs there were and between what they lie; null for counts and virtual time
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

    /** Which way a figure gets better. */
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

    /** What a figure meets. */
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

    /** The figure's 90 % bootstrap interval over so many pairs of runs. */
    public record ConfidenceInterval(int pairs, double low, double high) {}

    /** A figure that gates, exact enough to have no spread. */
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

    /** A figure with a floor and a goal that a person judges. */
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

    /** A figure without a floor and a goal. */
    public static Measurement informationalMeasurement(
            String id,
            String name,
            @Nullable String detail,
            double value,
            String unit,
            BetterDirection betterDirection) {
        return new Measurement(id, name, detail, value, unit, betterDirection, null, null, false, null);
    }

    /** A figure that nothing is asked of meets its goal. */
    public MeasurementVerdict verdict() {
        if (reaches(goal)) {
            return MeasurementVerdict.GOAL;
        }
        return reaches(floor) ? MeasurementVerdict.FLOOR : MeasurementVerdict.NO;
    }

    public boolean isFailed() {
        return isGating && verdict() == MeasurementVerdict.NO;
    }

    private boolean reaches(@Nullable Double mark) {
        return mark == null || (better == BetterDirection.LOWER ? value <= mark : value >= mark);
    }
}
