/**
 * How other threads read the leader's state: queries that the owning thread runs, and events as they happen. Readers
 * change nothing and keep no reference to the state.
 */
@NullMarked
package dev.flotilla.orchestrator.state;

import org.jspecify.annotations.NullMarked;
