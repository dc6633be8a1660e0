/**
 * All rows that matter to a decision, and what is derived from them. Rows go in by {@code put} and in no other way; puts of
 * different keys commute. Read {@code FleetState} first. Beneath it, each package may use those before it: {@code column},
 * {@code inventory}, {@code time}, {@code limits}, {@code rollout}, {@code start}.
 */
@NullMarked
package dev.flotilla.core.fleet;

import org.jspecify.annotations.NullMarked;
