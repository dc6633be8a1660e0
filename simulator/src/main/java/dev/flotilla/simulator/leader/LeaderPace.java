package dev.flotilla.simulator.leader;

/**
 * How a leader goes about its loop.
 *
 * @param tick how long it waits for inputs before it looks for what is due, in milliseconds
 * @param decisions at the most in one transaction
 * @param records at the most in one poll
 */
public record LeaderPace(long tick, int decisions, int records) {}
