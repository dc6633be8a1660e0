package dev.flotilla.simulator.kubernetes.store;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.kubernetes.json.Json;

/** Which part of an object a write may change: those who want and those who report do not overwrite each other. */
public enum Part {
    /** Everything but the status. */
    MAIN {
        @Override
        JsonObjectReader of(JsonObjectReader asked, Stored before) {
            return Part.status(asked, before.tree());
        }
    },
    /** The status, and of objects of the core also labels and annotations. */
    STATUS {
        @Override
        JsonObjectReader of(JsonObjectReader asked, Stored before) {
            JsonObjectReader kept = Part.status(before.tree(), asked);
            return before.ref().resource().group().isEmpty()
                    ? Json.with(kept, Json.inner(asked, "metadata"), "metadata")
                    : kept;
        }
    };

    abstract JsonObjectReader of(JsonObjectReader asked, Stored before);

    private static JsonObjectReader status(JsonObjectReader object, JsonObjectReader from) {
        JsonValue status = from.get("status");
        return status == null ? Json.without(object, "status") : Json.with(object, status, "status");
    }
}
