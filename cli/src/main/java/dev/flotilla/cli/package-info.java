/**
 * The command {@code flotilla}: reads arguments and files, calls what does the work, and prints the answer. It may use
 * every module but the benchmarks, and nothing may use it but they.
 */
@NullMarked
package dev.flotilla.cli;

import org.jspecify.annotations.NullMarked;
