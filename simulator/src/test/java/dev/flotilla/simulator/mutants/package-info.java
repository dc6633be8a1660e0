/**
 * Tests the core's mutants with simulated worlds. PIT lists the mutants and runs the unit tests; each mutant that these
 * do not detect is put into the core of some worlds, and is detected if a named invariant is violated.
 */
@NullMarked
package dev.flotilla.simulator.mutants;

import org.jspecify.annotations.NullMarked;
