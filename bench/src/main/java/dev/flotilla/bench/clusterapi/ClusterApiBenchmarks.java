package dev.flotilla.bench.clusterapi;

import dev.flotilla.bench.harness.BenchmarkRunner;
import dev.flotilla.bench.harness.Measurements;
import java.util.List;
import java.util.stream.Stream;

/** All benchmarks of the Cluster API extension. */
public final class ClusterApiBenchmarks {
    /** Ids of measured times, which a busy machine makes unreliable. */
    public static final List<String> TIMED = Stream.concat(
                    DiscoveryLatencyBenchmark.IDS.stream(), HookLatencyBenchmark.IDS.stream())
            .toList();

    private final BenchmarkRunner benchmarkRunner;
    private final boolean tiny;

    /**
     * Makes the benchmarks.
     *
     * @param tiny whether it is a smoke test
     */
    public ClusterApiBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.tiny = tiny;
    }

    /** Runs the benchmarks and adds their measurements. */
    public void run(Measurements measurements) {
        benchmarkRunner.run(List.of(new DiscoveryLatencyBenchmark(tiny), new HookLatencyBenchmark(tiny)), measurements);
    }
}
