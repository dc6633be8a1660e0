/**
 * Decisions about clusters whose machines Cluster API updates in place: which one a campaign opens, which version fields its watcher
 * writes, and when that ends.
 */
@NullMarked
package dev.flotilla.core.clusterupgrade;

import org.jspecify.annotations.NullMarked;
