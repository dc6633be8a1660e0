package dev.flotilla.simulator.check;

/**
 * An invariant that did not hold.
 *
 * @param at virtual time since the world began
 */
public record Violation(long seed, Invariant invariant, String at, String detail) {}
