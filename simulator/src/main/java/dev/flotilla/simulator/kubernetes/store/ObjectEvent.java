package dev.flotilla.simulator.kubernetes.store;

import org.jspecify.annotations.Nullable;

/**
 * A change of an object.
 *
 * @param before null if it is new
 * @param after the object after the change; for a deletion its last state, with the version of the deletion
 * @param deleted whether the object was deleted
 */
public record ObjectEvent(@Nullable StoredObject before, StoredObject after, boolean deleted) {

    public long version() {
        return after.version();
    }
}
