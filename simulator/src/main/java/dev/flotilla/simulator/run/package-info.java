/**
 * Builds a world from a seed, runs it, and reports: many seeds at once, or one with its transcript. The command line
 * and the tests use it.
 */
@NullMarked
package dev.flotilla.simulator.run;

import org.jspecify.annotations.NullMarked;
