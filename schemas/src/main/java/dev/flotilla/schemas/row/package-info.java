/**
 * The rows of every table, as sealed records: what a watcher, an operator, a worker and the orchestrator may say. A row
 * carries its own key. Nothing here knows how a row is written as bytes; that is the business of the codecs.
 */
@NullMarked
package dev.flotilla.schemas.row;

import org.jspecify.annotations.NullMarked;
