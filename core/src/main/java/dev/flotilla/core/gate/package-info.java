/** The gates: preconditions of a start in a fixed order, each a pure function of the rows. */
@NullMarked
package dev.flotilla.core.gate;

import org.jspecify.annotations.NullMarked;
