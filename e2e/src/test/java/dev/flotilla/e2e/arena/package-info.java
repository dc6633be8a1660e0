/**
 * Test bed of a fleet, with processes that can be killed and suspended, and observers: journal, auditor's report and
 * nodes' ledger. Decides nothing, and uses no class of the orchestrator.
 */
@NullMarked
package dev.flotilla.e2e.arena;

import org.jspecify.annotations.NullMarked;
