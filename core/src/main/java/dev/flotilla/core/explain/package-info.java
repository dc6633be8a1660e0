/**
 * Why a machine waits, in words and numbers, by asking the very gates that let it wait.
 */
@NullMarked
package dev.flotilla.core.explain;

import org.jspecify.annotations.NullMarked;
