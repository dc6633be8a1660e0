/**
 * Benchmarks of the node-worker: its requests to nodes and Kubernetes for an upgrade, and their cost. The simulated
 * nodes and API servers count the requests, not the worker.
 */
@NullMarked
package dev.flotilla.bench.worker;

import org.jspecify.annotations.NullMarked;
