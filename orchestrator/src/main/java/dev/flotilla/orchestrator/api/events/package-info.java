/**
 * The stream of events: each client reads the event ring at its own position.
 */
@NullMarked
package dev.flotilla.orchestrator.api.events;

import org.jspecify.annotations.NullMarked;
