/**
 * Chapters of the journal: when one is due, and its checkpoint, read from the tables on a thread of its own and handed to
 * the thread that decides in portions. The reader writes nothing and sees no state.
 */
@NullMarked
package dev.flotilla.orchestrator.chapter;

import org.jspecify.annotations.NullMarked;
