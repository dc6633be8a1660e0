/**
 * Deliberately broken cores, orchestrators and workers, each with one defect. The invariants must detect each of them
 * within the usual seeds; a check that misses one is not good enough.
 */
@NullMarked
package dev.flotilla.simulator.broken;

import org.jspecify.annotations.NullMarked;
