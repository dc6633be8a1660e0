package dev.flotilla.cli.demo;

/**
 * How far a wave is.
 *
 * @param succeeded machines at their target
 * @param quarantined machines that failed too often
 * @param inFlight machines with an open attempt
 */
record DemoWaveProgress(String name, int machines, int succeeded, int quarantined, int inFlight) {}
