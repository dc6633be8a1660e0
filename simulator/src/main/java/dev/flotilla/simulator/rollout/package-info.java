/**
 * Rollouts without faults in virtual time: a described fleet, a policy and campaigns, played through the core as fast
 * as it decides. It shows how long a rollout takes, and how close that is to the best possible. May use {@code core}
 * and {@code schemas}, but nothing of the world with faults.
 */
@NullMarked
package dev.flotilla.simulator.rollout;

import org.jspecify.annotations.NullMarked;
