/**
 * Benchmarks of Flotilla on a real Kafka broker, each compared with a plain client in the same run. Each benchmark has
 * its own broker and folder.
 */
@NullMarked
package dev.flotilla.bench.kafka;

import org.jspecify.annotations.NullMarked;
