/**
 * A site's node-workers: they own partitions of the site's commands, and perform on simulated nodes what the core's
 * procedure wants done.
 */
@NullMarked
package dev.flotilla.simulator.worker;

import org.jspecify.annotations.NullMarked;
