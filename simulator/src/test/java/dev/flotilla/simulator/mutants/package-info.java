/**
 * Simulated worlds as the second judge of the core's mutants. PIT lists the mutants and runs the unit tests; each mutant that these
 * do not notice is put into the core of some worlds, and is noticed where an invariant that has a name does not hold.
 */
@NullMarked
package dev.flotilla.simulator.mutants;

import org.jspecify.annotations.NullMarked;
