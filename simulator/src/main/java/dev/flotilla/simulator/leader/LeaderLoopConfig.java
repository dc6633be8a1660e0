package dev.flotilla.simulator.leader;

/**
 * How a leader goes about its loop.
 *
 * @param tickMillis how long it waits for inputs before it looks for what is due, in milliseconds
 * @param maxDecisions at the most in one transaction
 * @param maxRecords at the most in one poll
 */
public record LeaderLoopConfig(long tickMillis, int maxDecisions, int maxRecords) {}
