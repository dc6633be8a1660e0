/**
 * The node-worker: what it asks of nodes and of Kubernetes for an upgrade, and what that costs. What nodes and APIs were asked
 * is told by the simulated ones themselves, never by the worker.
 */
@NullMarked
package dev.flotilla.bench.worker;

import org.jspecify.annotations.NullMarked;
