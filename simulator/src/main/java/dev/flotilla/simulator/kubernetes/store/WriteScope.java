package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;

/** Which part of an object a write may change: those who want and those who report do not overwrite each other. */
public enum WriteScope {
    /** Everything but the status. */
    MAIN {
        @Override
        JsonObjectReader applyWrite(JsonObjectReader asked, StoredObject before) {
            return WriteScope.status(asked, before.tree());
        }
    },
    /** The status, and of objects of the core also labels and annotations. */
    STATUS {
        @Override
        JsonObjectReader applyWrite(JsonObjectReader asked, StoredObject before) {
            JsonObjectReader kept = WriteScope.status(before.tree(), asked);
            return before.ref().resource().group().isEmpty()
                    ? ImmutableJson.with(kept, ImmutableJson.inner(asked, "metadata"), "metadata")
                    : kept;
        }
    };

    abstract JsonObjectReader applyWrite(JsonObjectReader asked, StoredObject before);

    private static JsonObjectReader status(JsonObjectReader object, JsonObjectReader from) {
        JsonValue status = from.get("status");
        return status == null ? ImmutableJson.without(object, "status") : ImmutableJson.with(object, status, "status");
    }
}
