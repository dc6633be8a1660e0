package dev.flotilla.simulator.kubernetes.json;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/** RFC 7386: named values are replaced, null removes a value, objects are merged, lists are replaced. */
public final class JsonMergePatch {
    private JsonMergePatch() {}

    public static JsonValue apply(@Nullable JsonValue target, JsonValue patch) {
        if (!(patch instanceof JsonObjectReader changes)) {
            return patch;
        }
        JsonObjectReader before =
                target instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader : ImmutableJson.EMPTY;
        JsonObjectReader.Builder after = new JsonObjectReader.Builder();
        for (int i = 0; i < before.size(); i++) {
            JsonValue change = changes.get(before.name(i));
            if (change == null) {
                after.put(before.name(i), before.value(i));
            } else if (!(change instanceof JsonValue.JsonNull)) {
                after.put(before.name(i), apply(before.value(i), change));
            }
        }
        for (int i = 0; i < changes.size(); i++) {
            if (!(changes.value(i) instanceof JsonValue.JsonNull) && before.get(changes.name(i)) == null) {
                after.put(changes.name(i), apply(null, changes.value(i)));
            }
        }
        return after.build();
    }
}
