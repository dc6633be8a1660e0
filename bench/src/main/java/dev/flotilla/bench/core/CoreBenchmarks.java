package dev.flotilla.bench.core;

import dev.flotilla.bench.harness.Measurements;
import java.util.List;
import java.util.function.Consumer;

/** All benchmarks of the core. */
public final class CoreBenchmarks {
    /** Ids of measured times, which a busy machine makes unreliable. */
    public static final List<String> TIMED = List.of("P6", "P7b", "D1k", "D10k", "D100k", "D1M", "R1M");

    private final Consumer<String> progress;

    public CoreBenchmarks(Consumer<String> progress) {
        this.progress = progress;
    }

    /** Runs the short benchmarks of memory and allocation. */
    public void runMemory(Measurements measurements) {
        ScalingBenchmark scalingBenchmark = new ScalingBenchmark();
        scalingBenchmark.measureAllocation(progress);
        StateMemoryBenchmark stateMemoryBenchmark = new StateMemoryBenchmark();
        stateMemoryBenchmark.measure(progress);
        stateMemoryBenchmark.addHeap(measurements);
        scalingBenchmark.addAllocation(measurements);
    }

    /** Runs all benchmarks. */
    public void run(Measurements measurements) {
        progress.accept("rollouts in virtual time, equal durations");
        measurements.add(MakespanBenchmark.measureEqualDurations());
        progress.accept("rollouts in virtual time, lognormal durations");
        measurements.add(MakespanBenchmark.measureLognormalDurations());
        progress.accept("tenants in virtual time");
        measurements.add(FairnessBenchmark.measure());
        ScalingBenchmark scalingBenchmark = new ScalingBenchmark();
        scalingBenchmark.measure(progress);
        StateMemoryBenchmark stateMemoryBenchmark = new StateMemoryBenchmark();
        stateMemoryBenchmark.measure(progress);
        scalingBenchmark.addCosts(measurements);
        stateMemoryBenchmark.addHeap(measurements);
        scalingBenchmark.addAllocation(measurements);
        scalingBenchmark.addRates(measurements);
        stateMemoryBenchmark.addRestore(measurements);
    }
}
