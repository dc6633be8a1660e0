/** Benchmarks of the whole system with real processes, some of which are killed. */
@NullMarked
package dev.flotilla.bench.whole;

import org.jspecify.annotations.NullMarked;
