package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Steps that an API server takes together or not at all. A test in front makes the rest hang on what is there. */
public final class JsonPatch {
    private final List<JsonValue> steps = new ArrayList<>();

    /** Only if this text is there. */
    public JsonPatch test(String value, String... path) {
        steps.add(step("test", path).put("value", value).build());
        return this;
    }

    /** Only if nothing is there, in something that is. */
    public JsonPatch testNothing(String... path) {
        steps.add(
                step("test", path).put("value", new JsonValue.JsonNull(JsonValue.NO_LINE)).build());
        return this;
    }

    /** Puts a text there, whatever was. */
    public JsonPatch set(String value, String... path) {
        steps.add(step("add", path).put("value", value).build());
        return this;
    }

    /** Puts an object there that holds nothing yet, whatever was. */
    public JsonPatch setEmpty(String... path) {
        steps.add(step("add", path).put("value", new JsonObjectReader.Builder().build()).build());
        return this;
    }

    /** Puts a truth value there, whatever was. */
    public JsonPatch set(boolean value, String... path) {
        steps.add(step("add", path).put("value", value).build());
        return this;
    }

    /** Removes what must be there. */
    public JsonPatch remove(String... path) {
        steps.add(step("remove", path).build());
        return this;
    }

    private static JsonObjectReader.Builder step(String what, String... path) {
        StringBuilder pointer = new StringBuilder();
        for (String name : path) {
            pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
        }
        return new JsonObjectReader.Builder().put("op", what).put("path", pointer.toString());
    }

    JsonValue steps() {
        return new JsonValue.JsonArray(steps, JsonValue.NO_LINE);
    }
}
