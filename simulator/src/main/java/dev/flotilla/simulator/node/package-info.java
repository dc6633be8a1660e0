/**
 * Nodes with their k8sd and snapd, and their faults: changes that report a wrong status, hang, wait or are forgotten,
 * conflicts, and unsolicited refreshes. The call ledger records what really happened; the invariants are checked
 * against it.
 */
@NullMarked
package dev.flotilla.simulator.node;

import org.jspecify.annotations.NullMarked;
