package dev.flotilla.simulator.broken;

import dev.flotilla.simulator.run.Variant;

/**
 * One thing broken on purpose.
 *
 * @param what what is wrong with it, as a bug report would say
 */
public record BrokenCore(String name, String what, Variant variant) {}
