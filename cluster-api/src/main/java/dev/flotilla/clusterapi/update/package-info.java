/** Updates of machines that Cluster API has begun: each becomes an UpgradeTask, and its status is the answer. */
@NullMarked
package dev.flotilla.clusterapi.update;

import org.jspecify.annotations.NullMarked;
