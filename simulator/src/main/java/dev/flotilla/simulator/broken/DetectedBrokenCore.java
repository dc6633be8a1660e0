package dev.flotilla.simulator.broken;

/**
 * A broken core that was detected.
 *
 * @param seed the first seed that detected it
 * @param invariant the invariant that was violated
 */
public record DetectedBrokenCore(String name, String defect, long seed, String invariant) {}
