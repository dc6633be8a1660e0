/**
 * Rollouts without faults in virtual time: a described fleet, a policy and campaigns, played through the core as fast as
 * it decides. It answers how long a rollout takes and how close that is to what is possible at all. May use {@code core}
 * and {@code schemas}, and nothing of the world with faults.
 */
@NullMarked
package dev.flotilla.simulator.rollout;

import org.jspecify.annotations.NullMarked;
