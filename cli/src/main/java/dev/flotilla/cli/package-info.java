/**
 * The command {@code flotilla}: reads arguments and files, calls the other modules, and prints the answer. It may use
 * every module except {@code bench}; only {@code bench} may use it.
 */
@NullMarked
package dev.flotilla.cli;

import org.jspecify.annotations.NullMarked;
