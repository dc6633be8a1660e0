/**
 * Benchmarks of the core: how close rollouts come to the makespan bound, and the cost of a decision and of a machine.
 */
@NullMarked
package dev.flotilla.bench.core;

import org.jspecify.annotations.NullMarked;
