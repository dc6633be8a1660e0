/**
 * The objects of one simulated cluster, with the guarantees of a real API server: growing versions, conflicts, uids
 * that are never reused, and retained events for watches that are behind. Has no dependency on HTTP. One thread owns a
 * store.
 */
@NullMarked
package dev.flotilla.simulator.kubernetes.store;

import org.jspecify.annotations.NullMarked;
