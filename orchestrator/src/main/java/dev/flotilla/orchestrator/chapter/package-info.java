/**
 * Chapters of the journal: when one is due, and its checkpoint, which a separate thread reads from the tables and
 * delivers in chunks to the deciding thread. The reader writes nothing and does not see the state.
 */
@NullMarked
package dev.flotilla.orchestrator.chapter;

import org.jspecify.annotations.NullMarked;
