package dev.flotilla.bench.worker;

import dev.flotilla.bench.harness.BenchmarkRunner;
import dev.flotilla.bench.harness.Measurements;
import java.util.List;

/** All benchmarks of the node-worker. */
public final class WorkerBenchmarks {
    /** Ids of measured times, which a busy machine makes unreliable. */
    public static final List<String> TIMED = List.of("P5w", "P26a", "P26b", "P5wp", "P26ap", "P26bp", "C1");

    private final BenchmarkRunner benchmarkRunner;
    private final boolean tiny;

    /**
     * Makes the benchmarks.
     *
     * @param tiny whether it is a smoke test
     */
    public WorkerBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.tiny = tiny;
    }

    /** Runs the benchmarks and adds their measurements. */
    public void run(Measurements measurements) {
        benchmarkRunner.run(
                List.of(
                        new PollIntervalBenchmark(),
                        WorkerUpgradesBenchmark.direct(tiny),
                        WorkerUpgradesBenchmark.proxied(tiny),
                        new CallOverheadBenchmark(tiny),
                        new InFlightMachinesBenchmark(tiny)),
                measurements);
    }
}
