package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Builds a JSON patch (RFC 6902). An API server applies all of its operations or none; a failed test rejects the patch. */
public final class JsonPatchBuilder {
    private final List<JsonValue> toJson = new ArrayList<>();

    /** Adds a test that a path has this text. */
    public JsonPatchBuilder test(String value, String... path) {
        toJson.add(step("test", path).put("value", value).build());
        return this;
    }

    /** Adds a test that a path is absent; its parent must exist. */
    public JsonPatchBuilder testAbsent(String... path) {
        toJson.add(step("test", path)
                .put("value", new JsonValue.JsonNull(JsonValue.NO_LINE))
                .build());
        return this;
    }

    /** Sets a path to a text. */
    public JsonPatchBuilder set(String value, String... path) {
        toJson.add(step("add", path).put("value", value).build());
        return this;
    }

    /** Sets a path to an empty object. */
    public JsonPatchBuilder setEmpty(String... path) {
        toJson.add(step("add", path)
                .put("value", new JsonObjectReader.Builder().build())
                .build());
        return this;
    }

    /** Sets a path to a boolean. */
    public JsonPatchBuilder set(boolean value, String... path) {
        toJson.add(step("add", path).put("value", value).build());
        return this;
    }

    /** Removes a path, which must exist. */
    public JsonPatchBuilder remove(String... path) {
        toJson.add(step("remove", path).build());
        return this;
    }

    private static JsonObjectReader.Builder step(String what, String... path) {
        StringBuilder pointer = new StringBuilder();
        for (String name : path) {
            pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
        }
        return new JsonObjectReader.Builder().put("op", what).put("path", pointer.toString());
    }

    /** Returns the list of operations. */
    public JsonValue toJson() {
        return new JsonValue.JsonArray(toJson, JsonValue.NO_LINE);
    }
}
