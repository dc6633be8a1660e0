/**
 * The worker's loop: which partitions of its site's commands are its own, and one drive for each attempt in them. A drive
 * performs what the core's procedure wants done, by {@link dev.flotilla.nodeworker.upgrade.NodeUpgrader}, and reports what came of
 * it. Everything here happens on the loop's one thread but what the tools do.
 */
@NullMarked
package dev.flotilla.nodeworker.upgrade;

import org.jspecify.annotations.NullMarked;
