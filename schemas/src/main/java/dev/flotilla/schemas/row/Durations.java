package dev.flotilla.schemas.row;

import java.util.Arrays;

/** How long the attempts of one class of machines took: counts in buckets that grow by a quarter. */
public record Durations(String machineClass, Counts counts) {

    /** Bucket counts that nobody can change. */
    public static final class Counts {
        private final int[] values;

        private Counts(int[] values) {
            this.values = values;
        }

        public static Counts of(int... values) {
            return new Counts(values.clone());
        }

        public int buckets() {
            return values.length;
        }

        public int get(int bucket) {
            return bucket < values.length ? values[bucket] : 0;
        }

        public long total() {
            long total = 0;
            for (int value : values) {
                total += value;
            }
            return total;
        }

        /** These counts with one more in a bucket. */
        public Counts plus(int bucket) {
            int[] next = Arrays.copyOf(values, Math.max(values.length, bucket + 1));
            next[bucket]++;
            return new Counts(next);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Counts counts && Arrays.equals(values, counts.values);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return Arrays.toString(values);
        }
    }
}
