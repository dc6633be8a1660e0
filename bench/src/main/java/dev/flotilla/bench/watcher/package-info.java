/**
 * The figures of the management-watcher, on real API servers of the test bed. Where that was never built, nothing is measured, and
 * that is said.
 */
@NullMarked
package dev.flotilla.bench.watcher;

import org.jspecify.annotations.NullMarked;
