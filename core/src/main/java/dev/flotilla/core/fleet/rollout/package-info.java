/**
 * Campaigns and the intents of sites: what each has done and still has to do, in each cluster. Read
 * {@code Rollout} first.
 */
@NullMarked
package dev.flotilla.core.fleet.rollout;

import org.jspecify.annotations.NullMarked;
