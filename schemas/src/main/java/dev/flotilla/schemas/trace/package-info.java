/** The ids of the traces of attempts. They are derived from what rows contain, so that every process finds the same ones. */
@NullMarked
package dev.flotilla.schemas.trace;

import org.jspecify.annotations.NullMarked;
