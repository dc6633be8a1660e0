/** The command about the whole fleet: decisions, caps, freezes and machine counts. */
@NullMarked
package dev.flotilla.cli.fleet;

import org.jspecify.annotations.NullMarked;
