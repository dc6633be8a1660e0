/** Builds rows from a site's objects and decides which rows may be removed. Pure: no clock, no I/O. */
@NullMarked
package dev.flotilla.managementwatcher.rows;

import org.jspecify.annotations.NullMarked;
