/**
 * A simulated world that is determined by a seed: clock, log, network and machines with their faults around the core.
 * May use {@code core} and {@code schemas}. No application may use it; tests, the demonstration and the benchmarks do.
 */
@NullMarked
package dev.flotilla.simulator;

import org.jspecify.annotations.NullMarked;
