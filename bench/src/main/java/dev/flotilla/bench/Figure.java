package dev.flotilla.bench;

import org.jspecify.annotations.Nullable;

/**
 * One measured figure beside what it may not fall below and what it is after.
 *
 * @param detail under what it was worst, or how it was taken; null where the name says it all
 * @param better which way is better
 * @param floor null for a figure that is only published
 * @param gates whether falling below the floor fails the run
 * @param spread how many pairs of runs there were and between what they lie; null for counts and virtual time
 */
public record Figure(
        String id,
        String name,
        @Nullable String detail,
        double value,
        String unit,
        Better better,
        @Nullable Double floor,
        @Nullable Double goal,
        boolean gates,
        @Nullable Spread spread) {

    /** Which way a figure gets better. */
    public enum Better {
        LOWER("lower"),
        HIGHER("higher");

        private final String label;

        Better(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** What a figure meets. */
    public enum Meets {
        GOAL("goal"),
        FLOOR("floor"),
        NO("no");

        private final String label;

        Meets(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** The figure's 90 % bootstrap interval over so many pairs of runs. */
    public record Spread(int pairs, double low, double high) {}

    /** A figure that gates, exact enough to have no spread. */
    public static Figure gate(
            String id,
            String name,
            @Nullable String detail,
            double value,
            String unit,
            Better better,
            double floor,
            double goal) {
        return new Figure(id, name, detail, value, unit, better, floor, goal, true, null);
    }

    /** A figure with a floor and a goal that a person judges. */
    public static Figure judged(
            String id,
            String name,
            @Nullable String detail,
            double value,
            String unit,
            Better better,
            double floor,
            double goal,
            Spread spread) {
        return new Figure(id, name, detail, value, unit, better, floor, goal, false, spread);
    }

    /** A figure without a floor and a goal. */
    public static Figure published(
            String id, String name, @Nullable String detail, double value, String unit, Better better) {
        return new Figure(id, name, detail, value, unit, better, null, null, false, null);
    }

    /** A figure that nothing is asked of meets its goal. */
    public Meets meets() {
        if (reaches(goal)) {
            return Meets.GOAL;
        }
        return reaches(floor) ? Meets.FLOOR : Meets.NO;
    }

    public boolean fails() {
        return gates && meets() == Meets.NO;
    }

    private boolean reaches(@Nullable Double mark) {
        return mark == null || (better == Better.LOWER ? value <= mark : value >= mark);
    }
}
