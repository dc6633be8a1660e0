/**
 * Queries of the state for the API and the metrics, in parts that are short enough for the thread that owns the state.
 */
@NullMarked
package dev.flotilla.orchestrator.api.query;

import org.jspecify.annotations.NullMarked;
