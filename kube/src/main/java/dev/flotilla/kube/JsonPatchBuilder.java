package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Steps that an API server takes together or not at all. A test in front makes the rest hang on what is there. */
public final class JsonPatchBuilder {
    private final List<JsonValue> toJson = new ArrayList<>();

    /** Only if this text is there. */
    public JsonPatchBuilder test(String value, String... path) {
        toJson.add(step("test", path).put("value", value).build());
        return this;
    }

    /** Only if nothing is there, in something that is. */
    public JsonPatchBuilder testAbsent(String... path) {
        toJson.add(step("test", path)
                .put("value", new JsonValue.JsonNull(JsonValue.NO_LINE))
                .build());
        return this;
    }

    /** Puts a text there, whatever was. */
    public JsonPatchBuilder set(String value, String... path) {
        toJson.add(step("add", path).put("value", value).build());
        return this;
    }

    /** Puts an object there that holds nothing yet, whatever was. */
    public JsonPatchBuilder setEmpty(String... path) {
        toJson.add(step("add", path)
                .put("value", new JsonObjectReader.Builder().build())
                .build());
        return this;
    }

    /** Puts a truth value there, whatever was. */
    public JsonPatchBuilder set(boolean value, String... path) {
        toJson.add(step("add", path).put("value", value).build());
        return this;
    }

    /** Removes what must be there. */
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

    JsonValue toJson() {
        return new JsonValue.JsonArray(toJson, JsonValue.NO_LINE);
    }
}
