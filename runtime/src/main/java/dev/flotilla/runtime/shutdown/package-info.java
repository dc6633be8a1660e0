/** Orderly shutdown of a process in limited time; a step that hangs does not prevent the others. */
@NullMarked
package dev.flotilla.runtime.shutdown;

import org.jspecify.annotations.NullMarked;
