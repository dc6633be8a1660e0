/**
 * The site's management cluster: the Machine, its Cluster and its owner as they are now, what speaks against touching the
 * machine, the guards that an attempt sets on it, and the Secrets that reach the cluster behind. Does not know workload
 * clusters.
 */
@NullMarked
package dev.flotilla.nodeworker.management;

import org.jspecify.annotations.NullMarked;
