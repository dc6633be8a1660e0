/** The figures of everything together: every process is the real one, and dies where the figure asks for it. */
@NullMarked
package dev.flotilla.bench.whole;

import org.jspecify.annotations.NullMarked;
