package dev.flotilla.simulator.mutants;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.Finding;
import dev.flotilla.simulator.run.SeedRange;
import dev.flotilla.simulator.run.Simulation;
import dev.flotilla.simulator.run.Variant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The simulated worlds as a judge. */
final class Worlds {
    /** An exception names no invariant. */
    private static final List<Invariant> NAMED = Arrays.stream(Invariant.values())
            .filter(invariant -> invariant != Invariant.NO_BUG)
            .toList();

    private final long seeds;

    Worlds(long seeds) {
        this.seeds = seeds;
    }

    /** The first invariant that does not hold, with its seed. */
    Verdict firstBreach() {
        for (long seed = 1; seed <= seeds; seed++) {
            Finding finding = play(seed);
            if (finding != null) {
                return new Verdict(true, finding.invariant().label() + ", seed " + seed);
            }
        }
        return Verdict.SURVIVED;
    }

    private static @Nullable Finding play(long seed) {
        try {
            return Simulation.first(new SeedRange(seed, seed), Variant.REAL, NAMED);
        } catch (RuntimeException | StackOverflowError e) {
            // A world that cannot even begin names no invariant.
            return null;
        }
    }
}
