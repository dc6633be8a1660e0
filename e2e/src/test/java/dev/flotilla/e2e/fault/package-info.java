/**
 * Orchestrators that are wrong in one thing: the real shell, with one gate of the core's list in the place of another. They
 * live here and not in the program, so that no setting of it can ever make it wrong.
 */
@NullMarked
package dev.flotilla.e2e.fault;

import org.jspecify.annotations.NullMarked;
