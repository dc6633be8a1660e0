/**
 * Benchmarks of the Cluster API extension: how long its answers take. Those with UpgradeTasks need a real API server and fail with a
 * message if the test bed was never built.
 */
@NullMarked
package dev.flotilla.bench.clusterapi;

import org.jspecify.annotations.NullMarked;
