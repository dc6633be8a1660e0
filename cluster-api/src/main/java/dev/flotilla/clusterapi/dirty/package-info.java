/** Machines that keep old values of fields whose changes are accepted and not applied. */
@NullMarked
package dev.flotilla.clusterapi.dirty;

import org.jspecify.annotations.NullMarked;
