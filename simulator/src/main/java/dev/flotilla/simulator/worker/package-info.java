/**
 * A site's node-workers: they own partitions of the site's commands, and carry out on simulated nodes what {@link
 * dev.flotilla.core.command.PartitionUpgrades} decides, which decides for the node-worker as well.
 */
@NullMarked
package dev.flotilla.simulator.worker;

import org.jspecify.annotations.NullMarked;
