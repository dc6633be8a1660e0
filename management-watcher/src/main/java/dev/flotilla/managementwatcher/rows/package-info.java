/** Builds rows from a site's objects. Pure: no clock, no I/O. */
@NullMarked
package dev.flotilla.managementwatcher.rows;

import org.jspecify.annotations.NullMarked;
