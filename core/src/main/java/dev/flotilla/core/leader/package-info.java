/**
 * A leader's term without I/O. Read {@link dev.flotilla.core.leader.LeaderTermDecider} first: the order in which a term
 * decides. {@link dev.flotilla.core.leader.RestoredTables} is what it takes over, {@link
 * dev.flotilla.core.leader.TermSiteStates} which sites it uses, {@link dev.flotilla.core.leader.DecisionBatch} what it
 * commits, {@link dev.flotilla.core.leader.HeadRowWriter} what the next leader relies on. The orchestrator and the
 * simulator run the same.
 */
@NullMarked
package dev.flotilla.core.leader;

import org.jspecify.annotations.NullMarked;
