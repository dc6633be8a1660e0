package dev.flotilla.simulator.kubernetes.store;

import org.jspecify.annotations.Nullable;

/**
 * That an object became another.
 *
 * @param before null where there was none
 * @param after how it is, or how it was at last, with the version of its end
 * @param gone whether that was its end
 */
public record Happening(@Nullable Stored before, Stored after, boolean gone) {

    public long version() {
        return after.version();
    }
}
