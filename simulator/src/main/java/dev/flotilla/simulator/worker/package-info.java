/**
 * A site's node-workers: they own partitions of the site's commands and perform the actions of the core's upgrade
 * procedure on simulated nodes.
 */
@NullMarked
package dev.flotilla.simulator.worker;

import org.jspecify.annotations.NullMarked;
