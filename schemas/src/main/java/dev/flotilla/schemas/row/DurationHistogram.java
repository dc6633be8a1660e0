package dev.flotilla.schemas.row;

import java.util.Arrays;

/** A histogram of the durations of attempts for one class of machines, in buckets that grow by a quarter. */
public record DurationHistogram(String machineClass, BucketCounts counts) {

    /** Immutable bucket counts; the last bucket is not empty. */
    public static final class BucketCounts {
        private final int[] values;

        private BucketCounts(int[] values) {
            this.values = values;
        }

        public static BucketCounts of(int... values) {
            int buckets = values.length;
            while (buckets > 0 && values[buckets - 1] == 0) {
                buckets--;
            }
            return new BucketCounts(Arrays.copyOf(values, buckets));
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

        /** Returns a copy with one more in a bucket. */
        public BucketCounts plus(int bucket) {
            int[] next = Arrays.copyOf(values, Math.max(values.length, bucket + 1));
            next[bucket]++;
            return new BucketCounts(next);
        }

        /** Returns the sum of these counts and others. */
        public BucketCounts plus(BucketCounts others) {
            int[] next = Arrays.copyOf(values, Math.max(values.length, others.values.length));
            for (int bucket = 0; bucket < others.values.length; bucket++) {
                next[bucket] += others.values[bucket];
            }
            return new BucketCounts(next);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof BucketCounts counts && Arrays.equals(values, counts.values);
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
