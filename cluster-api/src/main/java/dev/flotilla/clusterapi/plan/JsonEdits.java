package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Makes changed copies of JSON objects. */
final class JsonEdits {
    private static final JsonObjectReader EMPTY = KubeObject.EMPTY.json();

    private JsonEdits() {}

    /** Returns the object with a value at a path; objects on the way are created. */
    static JsonObjectReader put(JsonObjectReader object, JsonValue value, String... path) {
        JsonValue inner = path.length == 1
                ? value
                : put(orEmpty(object.get(path[0])), value, Arrays.copyOfRange(path, 1, path.length));
        return object.toBuilder().put(path[0], inner).build();
    }

    /** Returns the object with a text at a path. */
    static JsonObjectReader put(JsonObjectReader object, String text, String... path) {
        return put(object, new JsonValue.JsonString(text, JsonValue.NO_LINE), path);
    }

    /** Returns the object without the value at a path. Objects on the way stay, even if they are empty then. */
    static JsonObjectReader remove(JsonObjectReader object, String... path) {
        JsonValue member = object.get(path[0]);
        if (path.length > 1) {
            return member instanceof JsonObjectReader inner
                    ? object.toBuilder()
                            .put(path[0], remove(inner, Arrays.copyOfRange(path, 1, path.length)))
                            .build()
                    : object;
        }
        JsonObjectReader.Builder kept = new JsonObjectReader.Builder();
        for (int i = 0; i < object.size(); i++) {
            if (!object.name(i).equals(path[0])) {
                kept.put(object.name(i), object.value(i));
            }
        }
        return kept.build();
    }

    /** Returns the object without the empty object at a path. */
    static JsonObjectReader removeIfEmpty(JsonObjectReader object, String... path) {
        return new KubeObject(object).valueAt(path) instanceof JsonObjectReader inner && inner.size() == 0
                ? remove(object, path)
                : object;
    }

    /** Applies a JSON merge patch: lists are replaced as a whole, a null removes a field. */
    static JsonObjectReader merge(JsonObjectReader object, JsonObjectReader patch) {
        JsonObjectReader merged = object;
        for (int i = 0; i < patch.size(); i++) {
            String name = patch.name(i);
            merged = switch (patch.value(i)) {
                case JsonValue.JsonNull removed -> remove(merged, name);
                case JsonObjectReader inner -> put(merged, merge(orEmpty(merged.get(name)), inner), name);
                case JsonValue value -> put(merged, value, name);
            };
        }
        return merged;
    }

    /** Returns the object without the fields that one object has and another does not have. */
    static JsonObjectReader removeDropped(JsonObjectReader object, JsonObjectReader before, JsonObjectReader after) {
        JsonObjectReader kept = object;
        for (int i = 0; i < before.size(); i++) {
            String name = before.name(i);
            JsonValue present = kept.get(name);
            JsonValue then = after.get(name);
            if (present == null) {
                continue;
            }
            if (then == null) {
                kept = remove(kept, name);
            } else if (present instanceof JsonObjectReader inner
                    && before.value(i) instanceof JsonObjectReader old
                    && then instanceof JsonObjectReader next) {
                kept = put(kept, removeDropped(inner, old, next), name);
            }
        }
        return kept;
    }

    static JsonObjectReader orEmpty(@Nullable JsonValue value) {
        return value instanceof JsonObjectReader object ? object : EMPTY;
    }
}
