/** What every process has: clocks, and crashes that a test injects. */
@NullMarked
package dev.flotilla.runtime.process;

import org.jspecify.annotations.NullMarked;
