package dev.flotilla.simulator.kubernetes.store;

import org.jspecify.annotations.Nullable;

/**
 * That an object became another.
 *
 * @param before null where there was none
 * @param after how it is, or how it was at last, with the version of its end
 * @param deleted whether that was its end
 */
public record ObjectEvent(@Nullable StoredObject before, StoredObject after, boolean deleted) {

    public long version() {
        return after.version();
    }
}
