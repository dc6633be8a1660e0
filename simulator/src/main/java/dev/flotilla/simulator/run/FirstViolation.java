package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.Invariant;

/** The first seed of a range that violates one of the given invariants, and that invariant. */
public record FirstViolation(long seed, Invariant invariant) {}
