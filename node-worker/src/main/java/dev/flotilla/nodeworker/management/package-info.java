/**
 * The site's management cluster: preconditions of the current Machine, Cluster and owner, the guards of an attempt, and
 * the Secrets for the workload cluster. Does not use workload clusters.
 */
@NullMarked
package dev.flotilla.nodeworker.management;

import org.jspecify.annotations.NullMarked;
