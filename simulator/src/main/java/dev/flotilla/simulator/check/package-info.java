/**
 * The invariants, checked after every commit and every call from what is really there: the committed rows, the ledger of
 * the nodes, the nodes themselves. Recounts everything by its own code; the rules of the core are not used here.
 */
@NullMarked
package dev.flotilla.simulator.check;

import org.jspecify.annotations.NullMarked;
