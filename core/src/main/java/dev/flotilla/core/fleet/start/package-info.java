/**
 * Counts a cluster after a change, and selects the machine that starts next. Read {@code NextStartSelector} first.
 */
@NullMarked
package dev.flotilla.core.fleet.start;

import org.jspecify.annotations.NullMarked;
