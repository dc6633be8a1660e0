package dev.flotilla.bench.kafka;

import dev.flotilla.bench.harness.BenchmarkRunner;
import dev.flotilla.bench.harness.Measurements;
import java.util.List;
import org.apache.kafka.common.utils.AppInfoParser;

/** All benchmarks that need a broker. */
public final class KafkaBenchmarks {
    /** Ids of measured times, which a busy machine makes unreliable. */
    public static final List<String> TIMED =
            List.of("P3", "P4", "P5", "P16", "P17a", "P17b", "P19a", "P20a", "P20b", "P21", "P22a", "P22b", "P22c");

    private final BenchmarkRunner benchmarkRunner;
    private final BenchmarkSizes sizes;

    /**
     * Makes the benchmarks.
     *
     * @param tiny whether it is a smoke test
     */
    public KafkaBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.sizes = tiny ? BenchmarkSizes.TINY : BenchmarkSizes.FULL;
    }

    /** Version of the Kafka client, which is also the broker's. */
    public static String version() {
        return AppInfoParser.getVersion();
    }

    /** Runs the benchmarks and adds their measurements. */
    public void run(Measurements measurements) {
        UpgradeCostBenchmark upgrades = new UpgradeCostBenchmark(sizes);
        benchmarkRunner.run(
                List.of(
                        new ExactlyOnceCostBenchmark(sizes),
                        new EventRateBenchmark(sizes),
                        new SlotTurnaroundBenchmark(sizes),
                        upgrades,
                        new RestoreAndIdleBenchmark(sizes, upgrades),
                        new LeaderHandoverBenchmark(sizes),
                        new OverloadBenchmark(sizes)),
                measurements);
    }
}
