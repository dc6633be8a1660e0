package dev.flotilla.bench.watcher;

import dev.flotilla.bench.harness.BenchmarkRunner;
import dev.flotilla.bench.harness.Measurements;
import java.util.List;

/** All benchmarks of the management-watcher. */
public final class WatcherBenchmarks {
    /** Ids of measured times, which a busy machine makes unreliable. */
    public static final List<String> TIMED = List.of("W1", "W2");

    private final BenchmarkRunner benchmarkRunner;
    private final boolean tiny;

    /**
     * Makes the benchmarks.
     *
     * @param tiny whether it is a smoke test
     */
    public WatcherBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.tiny = tiny;
    }

    /** Runs the benchmarks and adds their measurements. */
    public void run(Measurements measurements) {
        benchmarkRunner.run(
                List.of(new ManyMachinesBenchmark(tiny), new AnnotatedUpgradesBenchmark(tiny)), measurements);
    }
}
