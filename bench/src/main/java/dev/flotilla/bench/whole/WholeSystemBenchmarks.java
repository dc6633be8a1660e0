package dev.flotilla.bench.whole;

import dev.flotilla.bench.harness.BenchmarkRunner;
import dev.flotilla.bench.harness.Measurements;
import java.util.List;

/** All benchmarks of the whole system. */
public final class WholeSystemBenchmarks {
    /** Ids of measured times, which a busy machine makes unreliable. */
    public static final List<String> TIMED = List.of("P2", "P27");

    private final BenchmarkRunner benchmarkRunner;
    private final boolean tiny;

    /**
     * Makes the benchmarks.
     *
     * @param tiny whether it is a smoke test
     */
    public WholeSystemBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.tiny = tiny;
    }

    /** Runs the benchmarks and adds their measurements. */
    public void run(Measurements measurements) {
        benchmarkRunner.run(List.of(new DemoRunBenchmark(tiny)), measurements);
    }
}
