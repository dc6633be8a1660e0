/**
 * The foundation of a simulated world: the virtual clock with its event queue, random numbers from a seed, processes
 * that crash and pause, clocks that disagree, and the transcript. Imports no other package of Flotilla's simulator.
 */
@NullMarked
package dev.flotilla.simulator.world;

import org.jspecify.annotations.NullMarked;
