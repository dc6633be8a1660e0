/**
 * Shared parts of the benchmarks: a broker with client processes, fleets and campaigns, and alternating runs of
 * Flotilla and a plain client.
 */
@NullMarked
package dev.flotilla.bench.harness;

import org.jspecify.annotations.NullMarked;
