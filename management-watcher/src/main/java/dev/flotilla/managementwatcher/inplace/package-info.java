/**
 * Clusters whose machines Cluster API updates in place: which fields have their versions, and the changes of these fields that the
 * orchestrator asks for.
 */
@NullMarked
package dev.flotilla.managementwatcher.inplace;

import org.jspecify.annotations.NullMarked;
