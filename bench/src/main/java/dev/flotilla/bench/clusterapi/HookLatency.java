package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Statistics;
import java.util.Arrays;
import java.util.Locale;

/** How long the answers of one hook took. */
record HookLatency(String id, String name, double floor, double goal) {
    private static final int PERCENT = 99;

    /** Makes the measurement of its 99th percentile; times do not gate. */
    Measurement of(double[] millis, String conditions) {
        return new Measurement(
                id,
                name,
                String.format(
                        Locale.ROOT,
                        "%s; p50 %.1f ms, most %.1f ms of %d calls",
                        conditions,
                        Statistics.median(millis),
                        Arrays.stream(millis).max().orElseThrow(),
                        millis.length),
                Statistics.percentile(PERCENT, millis),
                "ms",
                BetterDirection.LOWER,
                floor,
                goal,
                false,
                null);
    }
}
