/** What the objects of a site come to as rows, and which rows may be taken away. Pure: no clock, no I/O. */
@NullMarked
package dev.flotilla.managementwatcher.rows;

import org.jspecify.annotations.NullMarked;
