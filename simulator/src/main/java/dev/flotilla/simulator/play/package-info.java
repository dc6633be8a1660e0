/**
 * A whole simulated fleet that is upgraded by one campaign while somebody watches: the same world that the seeds run in,
 * without chance mishaps, played step by step so that a person can follow it and kill parts of it. Its figures come from
 * the nodes' ledger and the checker, never from the orchestrator's own word.
 */
@NullMarked
package dev.flotilla.simulator.play;

import org.jspecify.annotations.NullMarked;
