/**
 * The parts of a leader that need no I/O: its partitions, the batch of one transaction, the head rows, and heartbeats.
 * The orchestrator and the simulator use the same.
 */
@NullMarked
package dev.flotilla.core.term;

import org.jspecify.annotations.NullMarked;
