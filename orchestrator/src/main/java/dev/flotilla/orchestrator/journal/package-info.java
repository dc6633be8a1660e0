/**
 * The journal for other readers: its hash chain, its chapters, and the fleet's state at any instant. Nothing here
 * writes; only the stored bytes are trusted.
 */
@NullMarked
package dev.flotilla.orchestrator.journal;

import org.jspecify.annotations.NullMarked;
