/**
 * Benchmarks of the management-watcher on real API servers of the test bed. They fail with a message if the test bed
 * was never built.
 */
@NullMarked
package dev.flotilla.bench.watcher;

import org.jspecify.annotations.NullMarked;
