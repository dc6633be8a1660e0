/** The Job that runs the steps of a NodeUpgrade on its node, and the pod that reads the result. Manifests only: nothing is sent here. */
@NullMarked
package dev.flotilla.nodeupgrader.job;

import org.jspecify.annotations.NullMarked;
