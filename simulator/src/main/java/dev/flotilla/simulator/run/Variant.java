package dev.flotilla.simulator.run;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.simulator.leader.ShellHabits;
import dev.flotilla.simulator.worker.WorkerHabits;
import java.util.function.Supplier;

/**
 * What is put into a world to be tested: the real thing, or something broken on purpose.
 *
 * @param decider makes a decider for each term of leadership
 * @param fencing whether the log fences zombies
 */
public record Variant(Supplier<Decider> decider, ShellHabits shell, WorkerHabits worker, boolean fencing) {
    public static final Variant REAL = new Variant(FleetDecider::standard, ShellHabits.GOOD, WorkerHabits.GOOD, true);

    public Variant with(Supplier<Decider> other) {
        return new Variant(other, shell, worker, fencing);
    }

    public Variant with(ShellHabits other) {
        return new Variant(decider, other, worker, fencing);
    }

    public Variant with(WorkerHabits other) {
        return new Variant(decider, shell, other, fencing);
    }

    public Variant unfenced() {
        return new Variant(decider, shell, worker, false);
    }
}
