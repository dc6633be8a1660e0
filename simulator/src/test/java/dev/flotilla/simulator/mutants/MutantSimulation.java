package dev.flotilla.simulator.mutants;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.FirstViolation;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.SimulationRunner;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The simulated worlds as a judge. */
final class MutantSimulation {
    /** An exception names no invariant. */
    private static final List<Invariant> NAMED = Arrays.stream(Invariant.values())
            .filter(invariant -> invariant != Invariant.NO_BUG)
            .toList();

    private final long seeds;

    MutantSimulation(long seeds) {
        this.seeds = seeds;
    }

    /** The first invariant that does not hold, with its seed. */
    MutantTestResult firstBreach() {
        for (long seed = 1; seed <= seeds; seed++) {
            FirstViolation firstViolation = play(seed);
            if (firstViolation != null) {
                return new MutantTestResult(true, firstViolation.invariant().label() + ", seed " + seed);
            }
        }
        return MutantTestResult.SURVIVED;
    }

    private static @Nullable FirstViolation play(long seed) {
        try {
            return SimulationRunner.firstViolation(new SeedRange(seed, seed), SystemUnderTest.REAL, NAMED);
        } catch (RuntimeException | StackOverflowError e) {
            // A world that cannot even begin names no invariant.
            return null;
        }
    }
}
