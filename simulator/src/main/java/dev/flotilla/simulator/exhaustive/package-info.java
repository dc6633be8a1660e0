/**
 * A world so small that all of it can be gone through: two leaders, two workers, three machines, one crash each. The core and
 * the workers' procedure are the real ones; a log that fences, and nodes, are told of in a few lines. Nothing here waits: which
 * of the things that may happen next does happen is what is gone through.
 */
@NullMarked
package dev.flotilla.simulator.exhaustive;

import org.jspecify.annotations.NullMarked;
