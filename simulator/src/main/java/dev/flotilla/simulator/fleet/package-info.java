/**
 * The fleet as it really is: sites, clusters and machines as their management clusters have them, each machine with its
 * node. Watchers see it late, workers look at it live, and the orchestrator never sees it at all.
 */
@NullMarked
package dev.flotilla.simulator.fleet;

import org.jspecify.annotations.NullMarked;
