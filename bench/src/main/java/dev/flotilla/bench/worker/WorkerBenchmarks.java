package dev.flotilla.bench.worker;

import dev.flotilla.bench.Measurements;
import dev.flotilla.bench.rig.BenchmarkRunner;
import java.util.List;

/** All figures of the node-worker. */
public final class WorkerBenchmarks {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of("P5w", "P26a", "P26b", "P5wp", "P26ap", "P26bp", "C1");

    private final BenchmarkRunner benchmarkRunner;
    private final boolean tiny;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public WorkerBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.tiny = tiny;
    }

    /** Adds the figures. */
    public void run(Measurements measurements) {
        benchmarkRunner.play(
                List.of(
                        new PollIntervalBenchmark(),
                        WorkerUpgradesBenchmark.direct(tiny),
                        WorkerUpgradesBenchmark.proxied(tiny),
                        new CallOverheadBenchmark(tiny),
                        new InFlightMachinesBenchmark(tiny)),
                measurements);
    }
}
