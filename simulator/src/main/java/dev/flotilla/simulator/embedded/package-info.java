/**
 * Whole simulated fleets for real clients: sites with their management clusters, workload clusters, and nodes with
 * their k8sd, on one event loop and real time. A change of a node appears in its objects as in a real cluster.
 */
@NullMarked
package dev.flotilla.simulator.embedded;

import org.jspecify.annotations.NullMarked;
