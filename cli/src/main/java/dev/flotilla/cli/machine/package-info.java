/** Verbs about machines: how each stands, and which gate it waits at. The answers are those of the core's own gates. */
@NullMarked
package dev.flotilla.cli.machine;

import org.jspecify.annotations.NullMarked;
