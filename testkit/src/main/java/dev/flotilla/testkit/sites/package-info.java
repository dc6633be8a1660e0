/**
 * Simulated sites: either behind real topics, with watchers, workers and nodes of the simulator in real time and an
 * exchange between their log and Kafka; or behind APIs, for real watchers and workers, as in the demonstration. Their
 * HTTP endpoint shows every call that the nodes received.
 */
@NullMarked
package dev.flotilla.testkit.sites;

import org.jspecify.annotations.NullMarked;
