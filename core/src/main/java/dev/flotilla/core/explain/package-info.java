/** Explains why machines wait, by evaluating the same gates as the decisions. */
@NullMarked
package dev.flotilla.core.explain;

import org.jspecify.annotations.NullMarked;
