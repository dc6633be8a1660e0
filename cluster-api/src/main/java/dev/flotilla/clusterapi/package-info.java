/** Cluster API's runtime extension for in-place updates. It decides nothing: its state is in UpgradeTasks. */
@NullMarked
package dev.flotilla.clusterapi;

import org.jspecify.annotations.NullMarked;
