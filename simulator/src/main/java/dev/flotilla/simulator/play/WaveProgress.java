package dev.flotilla.simulator.play;

/**
 * How far a wave is.
 *
 * @param succeeded machines at their target
 * @param quarantined machines that failed too often
 * @param inFlight machines with an open attempt
 */
public record WaveProgress(String name, boolean open, int machines, int succeeded, int quarantined, int inFlight) {}
