package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;

/**
 * Which part of an object a write may change, so that writes to the spec and to the status do not overwrite each other.
 */
public enum WriteScope {
    /** Everything but the status. */
    MAIN {
        @Override
        JsonObjectReader applyWrite(JsonObjectReader written, StoredObject before) {
            return WriteScope.status(written, before.tree());
        }
    },
    /** The status, and for objects of the core group also labels and annotations. */
    STATUS {
        @Override
        JsonObjectReader applyWrite(JsonObjectReader written, StoredObject before) {
            JsonObjectReader kept = WriteScope.status(before.tree(), written);
            return before.ref().resource().group().isEmpty()
                    ? ImmutableJson.with(kept, ImmutableJson.inner(written, "metadata"), "metadata")
                    : kept;
        }
    };

    abstract JsonObjectReader applyWrite(JsonObjectReader written, StoredObject before);

    private static JsonObjectReader status(JsonObjectReader object, JsonObjectReader from) {
        JsonValue status = from.get("status");
        return status == null ? ImmutableJson.without(object, "status") : ImmutableJson.with(object, status, "status");
    }
}
