/**
 * Simulated: whole fleets for real clients. Sites with their management clusters, workload clusters, nodes with their k8sd,
 * all on one event loop and the wall clock; what happens to a node shows in its objects as it would in a real cluster.
 */
@NullMarked
package dev.flotilla.simulator.embedded;

import org.jspecify.annotations.NullMarked;
