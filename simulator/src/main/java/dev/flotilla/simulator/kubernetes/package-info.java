/**
 * The simulated Kubernetes APIs of any number of clusters on one loopback port, each under its own path, for real
 * clients. There are no kubelets, schedulers or controllers behind them; the simulation writes the objects. Everything
 * belongs to the event loop that the server was started on.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes;

import org.jspecify.annotations.NullMarked;
