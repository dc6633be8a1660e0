/** Checks the invariants from the topics alone, with code of its own. */
@NullMarked
package dev.flotilla.auditor;

import org.jspecify.annotations.NullMarked;
