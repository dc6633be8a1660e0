/**
 * What every part of the simulated world stands on: the virtual clock with its queue of events, chance from a seed,
 * processes that crash and pause, clocks that disagree, and the story of what happened. Imports nothing of ours.
 */
@NullMarked
package dev.flotilla.simulator.world;

import org.jspecify.annotations.NullMarked;
