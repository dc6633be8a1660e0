/**
 * Cores, shells and workers that are broken on purpose, each in one way. A checker that lets one of them through is no
 * checker; so each has to be caught by the invariants within the usual seeds.
 */
@NullMarked
package dev.flotilla.simulator.broken;

import org.jspecify.annotations.NullMarked;
