/** Commands about machines: state, explanation, cleanup and certificate pins. The gates are those of the core. */
@NullMarked
package dev.flotilla.cli.machine;

import org.jspecify.annotations.NullMarked;
