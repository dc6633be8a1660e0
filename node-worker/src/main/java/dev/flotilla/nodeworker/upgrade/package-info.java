/**
 * The worker's loop: the partitions of its site's commands that it owns, and one machine upgrade for each attempt in
 * them. A machine upgrade performs the actions of the core's procedure through a {@link
 * dev.flotilla.nodeworker.upgrade.NodeUpgrader} and reports the results. Everything here runs on the loop's one thread,
 * except the work of node upgraders.
 */
@NullMarked
package dev.flotilla.nodeworker.upgrade;

import org.jspecify.annotations.NullMarked;
