package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * Names an UpgradeTask.
 *
 * @param namespace null for the namespace of the object for which the task is named
 */
public record UpgradeTaskRef(@Nullable String namespace, String name, String uid) {
    @Override
    public String toString() {
        return "UpgradeTask " + name;
    }
}
