/**
 * A fleet with everything that works on it, in processes that can be killed and stopped, and whoever looks on: the journal
 * as it is written, the auditor's report, the nodes' ledger. Decides nothing, and uses no class of the orchestrator's.
 */
@NullMarked
package dev.flotilla.e2e.arena;

import org.jspecify.annotations.NullMarked;
