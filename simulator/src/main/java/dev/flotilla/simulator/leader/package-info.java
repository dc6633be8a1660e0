/**
 * The orchestrator's shell: standbys that follow the tables, one that leads, and how it changes from one to the other.
 * Poll, decide and put, commit; after anything but a clean commit everything is dropped and read again.
 */
@NullMarked
package dev.flotilla.simulator.leader;

import org.jspecify.annotations.NullMarked;
