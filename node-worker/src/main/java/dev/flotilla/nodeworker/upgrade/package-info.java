/**
 * From command to node, in the order of reading: {@link dev.flotilla.nodeworker.upgrade.WorkerLoop} owns the partitions of
 * its site's commands (1), {@link dev.flotilla.nodeworker.upgrade.CommandPartition} has one machine upgrade for each
 * attempt and writes their reports (2), and {@link dev.flotilla.nodeworker.upgrade.MachineUpgrade} performs the actions of
 * the core's procedure (3) through the port {@link dev.flotilla.nodeworker.upgrade.NodeUpgrader}. Everything here runs on
 * the loop's one thread, except the work of node upgraders.
 */
@NullMarked
package dev.flotilla.nodeworker.upgrade;

import org.jspecify.annotations.NullMarked;
