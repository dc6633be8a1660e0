/**
 * Machines with the k8sd and snapd that answer on them, with their habits: changes that lie, hang, wait or are
 * forgotten, conflicts, refreshes of their own. The ledger is what really happened, from which everything is judged.
 */
@NullMarked
package dev.flotilla.simulator.node;

import org.jspecify.annotations.NullMarked;
