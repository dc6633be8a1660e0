/**
 * The true state of the fleet: sites, clusters and machines as their management clusters have them, each machine with
 * its node. Watchers see it late, workers read it live, and the orchestrator never sees it directly.
 */
@NullMarked
package dev.flotilla.simulator.fleet;

import org.jspecify.annotations.NullMarked;
