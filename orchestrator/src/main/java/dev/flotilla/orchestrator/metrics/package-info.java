/**
 * The metrics of the fleet, computed from the state when they are requested.
 */
@NullMarked
package dev.flotilla.orchestrator.metrics;

import org.jspecify.annotations.NullMarked;
