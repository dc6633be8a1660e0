/**
 * Simulated sites: behind real topics, with watchers, workers and nodes of the simulator, played at the pace of the wall clock,
 * with a bridge between their log and Kafka; or behind APIs, for real watchers and workers, as the demonstration has them. What
 * they say of their nodes over HTTP nobody else can know: every call that these received.
 */
@NullMarked
package dev.flotilla.testkit.sites;

import org.jspecify.annotations.NullMarked;
