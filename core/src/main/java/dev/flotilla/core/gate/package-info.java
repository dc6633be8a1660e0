/**
 * What stands between a machine and its start: a list of gates in a fixed order, each a pure question about the rows.
 */
@NullMarked
package dev.flotilla.core.gate;

import org.jspecify.annotations.NullMarked;
