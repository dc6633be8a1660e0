/**
 * The simulated orchestrator: standbys that follow the tables, a leader, and the change between the two. After anything
 * but a successful commit it drops everything and reads it again.
 */
@NullMarked
package dev.flotilla.simulator.leader;

import org.jspecify.annotations.NullMarked;
