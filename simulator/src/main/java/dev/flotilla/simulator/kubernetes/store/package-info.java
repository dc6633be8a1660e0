/**
 * The objects of one simulated cluster, with what a real API server is relied on for: versions that only grow, conflicts,
 * uids that are never used again, and a past that watchers can catch up on. Knows no HTTP. One thread owns a store.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes.store;

import org.jspecify.annotations.NullMarked;
