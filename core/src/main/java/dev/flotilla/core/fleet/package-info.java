/**
 * The rows of the fleet, stored compactly, and what is derived from them: counts, queues, timers. Rows go in by
 * {@code put} and in no other way; puts of different keys commute. No other package sees how a row is stored.
 */
@NullMarked
package dev.flotilla.core.fleet;

import org.jspecify.annotations.NullMarked;
