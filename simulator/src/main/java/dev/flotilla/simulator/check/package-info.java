/**
 * The invariants, checked after every commit and every call against the true state: the committed rows, the call ledger
 * and the nodes themselves. Everything is recounted by separate code; none of the core's rules are used here.
 */
@NullMarked
package dev.flotilla.simulator.check;

import org.jspecify.annotations.NullMarked;
