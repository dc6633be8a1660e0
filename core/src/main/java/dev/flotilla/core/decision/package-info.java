/**
 * What comes in, and what is decided: rows to write, with an event for the journal. Read {@code Decision} first.
 */
@NullMarked
package dev.flotilla.core.decision;

import org.jspecify.annotations.NullMarked;
