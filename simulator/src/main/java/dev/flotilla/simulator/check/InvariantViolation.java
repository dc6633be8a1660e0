package dev.flotilla.simulator.check;

/**
 * An invariant that was violated.
 *
 * @param virtualTime virtual time since the world began
 */
public record InvariantViolation(long seed, Invariant invariant, String virtualTime, String detail) {}
