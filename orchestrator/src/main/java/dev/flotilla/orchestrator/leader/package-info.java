/**
 * One leader term: fences the leader before, commits what the core's {@code LeaderTermDecider} decides, and suspends and
 * resumes sites. Read {@link dev.flotilla.orchestrator.leader.LeaderTermRunner} and {@link
 * dev.flotilla.orchestrator.leader.LeaderTerm} first.
 */
@NullMarked
package dev.flotilla.orchestrator.leader;

import org.jspecify.annotations.NullMarked;
