/**
 * What a leader's shell does that needs no I/O: which partitions it reads and writes, what goes into one transaction, what
 * it stamps into the head rows, and when a site is silent. The orchestrator and the simulator use the same.
 */
@NullMarked
package dev.flotilla.core.term;

import org.jspecify.annotations.NullMarked;
