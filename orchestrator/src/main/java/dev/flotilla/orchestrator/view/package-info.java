/**
 * How others look at the leader's state: questions that its own thread answers, and events as they happen. Whoever looks
 * changes nothing and keeps nothing of the state.
 */
@NullMarked
package dev.flotilla.orchestrator.view;

import org.jspecify.annotations.NullMarked;
