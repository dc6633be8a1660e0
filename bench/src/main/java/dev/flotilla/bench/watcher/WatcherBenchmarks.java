package dev.flotilla.bench.watcher;

import dev.flotilla.bench.Measurements;
import dev.flotilla.bench.rig.BenchmarkRunner;
import java.util.List;

/** All figures of the management-watcher. */
public final class WatcherBenchmarks {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of("W1", "W2");

    private final BenchmarkRunner benchmarkRunner;
    private final boolean tiny;

    /**
     * A run.
     *
     * @param tiny only to see that everything works
     */
    public WatcherBenchmarks(BenchmarkRunner benchmarkRunner, boolean tiny) {
        this.benchmarkRunner = benchmarkRunner;
        this.tiny = tiny;
    }

    /** Adds the figures. */
    public void run(Measurements measurements) {
        benchmarkRunner.play(
                List.of(new ManyMachinesBenchmark(tiny), new AnnotatedUpgradesBenchmark(tiny)), measurements);
    }
}
