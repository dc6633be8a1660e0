package dev.flotilla.bench.kafka;

import dev.flotilla.bench.Measurements;
import dev.flotilla.bench.rig.BenchmarkRunner;
import java.util.List;
import org.apache.kafka.common.utils.AppInfoParser;

/** All figures that need a broker. */
public final class KafkaBenchmarks {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED =
            List.of("P3", "P4", "P5", "P16", "P17a", "P17b", "P19a", "P20a", "P20b", "P21", "P22a", "P22b", "P22c");

    private final BenchmarkRunner benchmarkRunner;
    private final BenchmarkSizes sizes;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public KafkaBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.sizes = tiny ? BenchmarkSizes.TINY : BenchmarkSizes.FULL;
    }

    /** The version of the client, which is the broker's too. */
    public static String version() {
        return AppInfoParser.getVersion();
    }

    /** Adds the figures. */
    public void run(Measurements measurements) {
        UpgradeCostBenchmark upgrades = new UpgradeCostBenchmark(sizes);
        benchmarkRunner.play(
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
