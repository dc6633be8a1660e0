/**
 * A site's node-workers: they own partitions of the site's commands, drive each machine through its steps, and hold the
 * rules that make one call one call: fencing, the licence, the last look at clock and cluster right before.
 */
@NullMarked
package dev.flotilla.simulator.worker;

import org.jspecify.annotations.NullMarked;
