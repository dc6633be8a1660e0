/**
 * Tells before an edit of Cluster API's objects which machines would be updated in place and which would be replaced. It reads objects,
 * judges them as the extension does, and writes nothing.
 */
@NullMarked
package dev.flotilla.clusterapi.plan;

import org.jspecify.annotations.NullMarked;
