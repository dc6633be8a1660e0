/** Verbs that read the journal: is its chain whole, and what was decided. They trust nothing but the bytes. */
@NullMarked
package dev.flotilla.cli.journal;

import org.jspecify.annotations.NullMarked;
