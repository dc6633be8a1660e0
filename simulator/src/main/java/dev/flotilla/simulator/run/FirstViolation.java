package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.Invariant;

/** The first seed of a range in which something did not hold that was looked for, and what. */
public record FirstViolation(long seed, Invariant invariant) {}
