/**
 * Simulated sites behind real topics: watchers, workers and nodes of the simulator, played at the pace of the wall clock,
 * with a bridge between their log and Kafka. A process of the demonstration, and a part of tests. What it says of its
 * nodes over HTTP nobody else can know: every call that they received.
 */
@NullMarked
package dev.flotilla.testkit.sites;

import org.jspecify.annotations.NullMarked;
