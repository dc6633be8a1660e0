/**
 * How a worker takes one machine through one attempt: what it does next, given what it has been told and has seen. A pure
 * machine: the shell performs the acts, and signals what came of them. The simulated workers and the real ones run the same.
 * It sees rows and nothing of the fleet's state.
 */
@NullMarked
package dev.flotilla.core.procedure;

import org.jspecify.annotations.NullMarked;
