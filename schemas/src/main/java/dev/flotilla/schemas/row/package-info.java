/**
 * The rows of every table as records: what watchers, operators, workers and the orchestrator write. A row contains its own key.
 * How a row is encoded is up to the codecs.
 */
@NullMarked
package dev.flotilla.schemas.row;

import org.jspecify.annotations.NullMarked;
