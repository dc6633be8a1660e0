package dev.flotilla.simulator.mutants;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.SimulationRunner;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tests mutants with the simulated worlds. */
final class MutantSimulation {
    /** All invariants except the one for exceptions, which names no cause. */
    private static final List<Invariant> NAMED_INVARIANTS = Arrays.stream(Invariant.values())
            .filter(invariant -> invariant != Invariant.NO_BUG)
            .toList();

    private final long seeds;

    MutantSimulation(long seeds) {
        this.seeds = seeds;
    }

    /** The first violated invariant, with its seed. */
    MutantTestResult firstViolation() {
        for (long seed = 1; seed <= seeds; seed++) {
            SimulationRunner.FirstViolation firstViolation = runSeed(seed);
            if (firstViolation != null) {
                return new MutantTestResult(true, firstViolation.invariant().label() + ", seed " + seed);
            }
        }
        return MutantTestResult.SURVIVED;
    }

    private static SimulationRunner.@Nullable FirstViolation runSeed(long seed) {
        try {
            return SimulationRunner.firstViolation(new SeedRange(seed, seed), SystemUnderTest.REAL, NAMED_INVARIANTS);
        } catch (RuntimeException | StackOverflowError e) {
            // A world that cannot even be created violates no named invariant.
            return null;
        }
    }
}
