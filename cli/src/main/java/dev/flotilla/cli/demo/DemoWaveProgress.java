package dev.flotilla.cli.demo;

/**
 * Progress of a wave.
 *
 * @param succeeded machines at their target
 * @param quarantined machines that used all retries or failed terminally
 * @param inFlight machines with an open attempt
 */
record DemoWaveProgress(String name, int machines, int succeeded, int quarantined, int inFlight) {}
