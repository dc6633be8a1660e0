package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/** A number of machines or a percentage of them, rounded down; never below 1. */
public sealed interface CountOrPercent {
    int HUNDRED_PERCENT = 100;

    /** Returns the number of machines out of a total. */
    int of(int machines);

    /** A fixed number. */
    record Count(int count) implements CountOrPercent {
        @Override
        public int of(int machines) {
            return Math.max(1, count);
        }

        @Override
        public String toString() {
            return Integer.toString(count);
        }
    }

    /** A percentage. */
    record Percent(int percent) implements CountOrPercent {
        @Override
        public int of(int machines) {
            return Math.max(1, (int) ((long) machines * percent / HUNDRED_PERCENT));
        }

        @Override
        public String toString() {
            return percent + "%";
        }
    }

    /** Parses a text such as {@code 40} or {@code 5%}; null if it is neither. */
    static @Nullable CountOrPercent parse(String text) {
        boolean percent = text.endsWith("%");
        String digits = percent ? text.substring(0, text.length() - 1) : text;
        if (digits.isEmpty() || digits.length() > 8) {
            return null;
        }
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            char c = digits.charAt(i);
            if (c < '0' || c > '9') {
                return null;
            }
            value = value * 10 + (c - '0');
        }
        if (value < 1 || (percent && value > HUNDRED_PERCENT)) {
            return null;
        }
        return percent ? new Percent(value) : new Count(value);
    }
}
