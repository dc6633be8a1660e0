package dev.flotilla.simulator.leader;

/**
 * The settings of a leader's loop.
 *
 * @param tickMillis how long it waits for inputs before it checks for due work, in milliseconds
 * @param maxDecisions per transaction
 * @param maxRecords per poll
 */
public record LeaderLoopConfig(long tickMillis, int maxDecisions, int maxRecords) {}
