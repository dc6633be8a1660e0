/** Writes Events of Kubernetes about the objects of others. */
@NullMarked
package dev.flotilla.clusterapi.event;

import org.jspecify.annotations.NullMarked;
