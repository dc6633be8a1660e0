package dev.flotilla.simulator.run;

/** The first seed of a range in which something did not hold, and what. */
public record Finding(long seed, String invariant) {}
