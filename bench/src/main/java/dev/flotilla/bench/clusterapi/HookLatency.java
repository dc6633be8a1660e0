package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.harness.Measurement;
import dev.flotilla.bench.harness.Measurement.BetterDirection;
import dev.flotilla.bench.harness.Measurements;
import dev.flotilla.bench.harness.Statistics;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How long the answers of one hook took. */
record HookLatency(String id, String name, double floor, double goal) {
    private static final int PERCENT = 99;
    private static final int PERCENTS = 100;

    /** Adds the measurement of its 99th percentile; times do not gate. */
    void addTo(Measurements measurements, QuietestRound round, String conditions) {
        double[] millis = round.millis().stream().mapToDouble(each -> each).toArray();
        measurements.addStolen(List.of(id), round.stolen());
        measurements.add(new Measurement(
                id,
                name,
                String.format(
                        Locale.ROOT,
                        "%s; p50 %.1f ms, most %.1f ms of %d calls; the quietest of %d rounds, %.1f %% stolen",
                        conditions,
                        Statistics.median(millis),
                        Arrays.stream(millis).max().orElseThrow(),
                        millis.length,
                        round.rounds(),
                        PERCENTS * round.stolen()),
                Statistics.percentile(PERCENT, millis),
                "ms",
                BetterDirection.LOWER,
                floor,
                goal,
                false,
                null));
    }
}
