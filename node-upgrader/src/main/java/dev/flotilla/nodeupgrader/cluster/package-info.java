/** What is read from and written to the workload cluster of a NodeUpgrade. Nothing is decided here. */
@NullMarked
package dev.flotilla.nodeupgrader.cluster;

import org.jspecify.annotations.NullMarked;
