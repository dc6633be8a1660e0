/**
 * Simulated: the Kubernetes APIs of any number of clusters behind one port of the loopback, each under an address of its
 * own, for real clients. No kubelet, no scheduler and no controller is behind it; what its objects say is up to whoever
 * simulates. Everything here belongs to one event loop, that on which it was started.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes;

import org.jspecify.annotations.NullMarked;
