package dev.flotilla.simulator.broken;

/**
 * A broken core that was found out.
 *
 * @param seed the first seed that did
 * @param invariant what it broke there
 */
public record DetectedBrokenCore(String name, String defect, long seed, String invariant) {}
