package dev.flotilla.bench.kafka;

import java.util.Arrays;

/** Cuts samples into equal parts. */
final class SampleArraySlicer {
    private SampleArraySlicer() {}

    static double[] partOf(double[] all, int part, int parts) {
        int from = (int) ((long) all.length * part / parts);
        int to = (int) ((long) all.length * (part + 1) / parts);
        return Arrays.copyOfRange(all, from, to);
    }
}
