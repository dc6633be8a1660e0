/**
 * A leader's term without I/O. Read {@link dev.flotilla.core.term.LeaderTermDecider} first: the order in which a term
 * decides. {@link dev.flotilla.core.term.RestoredTables} is what it takes over, {@link
 * dev.flotilla.core.term.TermSiteStates} which sites it uses, {@link dev.flotilla.core.term.DecisionBatch} what it
 * commits, {@link dev.flotilla.core.term.HeadRowWriter} what the next leader relies on. The orchestrator and the
 * simulator run the same.
 */
@NullMarked
package dev.flotilla.core.term;

import org.jspecify.annotations.NullMarked;
