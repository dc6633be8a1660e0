package dev.flotilla.bench.core;

import dev.flotilla.bench.Figures;
import java.util.List;
import java.util.function.Consumer;

/** All figures of the core. */
public final class CoreBench {
    /** The figures that come from a clock, and that a crowded machine spoils. */
    public static final List<String> TIMED = List.of("P6", "P7b", "D1k", "D10k", "D100k", "D1M", "R1M");

    private final Consumer<String> progress;

    public CoreBench(Consumer<String> progress) {
        this.progress = progress;
    }

    /** What the core holds and allocates, and nothing that takes long. */
    public void runHeld(Figures figures) {
        Scaling scaling = new Scaling();
        scaling.measureAllocation(progress);
        Holding holding = new Holding();
        holding.measure(progress);
        holding.addHeap(figures);
        scaling.addAllocation(figures);
    }

    /** All of it. */
    public void run(Figures figures) {
        progress.accept("rollouts in virtual time, equal durations");
        figures.add(Efficiency.equal());
        progress.accept("rollouts in virtual time, lognormal durations");
        figures.add(Efficiency.lognormal());
        progress.accept("tenants in virtual time");
        figures.add(Fairness.measured());
        Scaling scaling = new Scaling();
        scaling.measure(progress);
        Holding holding = new Holding();
        holding.measure(progress);
        scaling.addCosts(figures);
        holding.addHeap(figures);
        scaling.addAllocation(figures);
        scaling.addRates(figures);
        holding.addRestore(figures);
    }
}
