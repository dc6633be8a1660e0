/** Verbs by which operators order: campaigns run, pause and end, sites and the fleet freeze. Each is one row, with who and why. */
@NullMarked
package dev.flotilla.cli.order;

import org.jspecify.annotations.NullMarked;
