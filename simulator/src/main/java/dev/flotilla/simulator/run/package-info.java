/**
 * Puts a world together from a seed, runs it, and reports: many seeds at once, or one as a story. What the command line
 * and the tests use.
 */
@NullMarked
package dev.flotilla.simulator.run;

import org.jspecify.annotations.NullMarked;
