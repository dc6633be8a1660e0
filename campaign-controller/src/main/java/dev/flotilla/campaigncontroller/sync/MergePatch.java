package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;

/** Merge patches. */
final class MergePatch {
    private MergePatch() {}

    /** Returns the patch that makes an object equal to another one: fields that only the first has are removed. */
    static JsonObjectReader toReplace(JsonObjectReader before, JsonObjectReader after) {
        JsonObjectReader.Builder patch = new JsonObjectReader.Builder();
        for (int i = 0; i < after.size(); i++) {
            JsonValue value = after.value(i);
            JsonValue old = before.get(after.name(i));
            patch.put(
                    after.name(i),
                    value instanceof JsonObjectReader object
                            ? toReplace(
                                    old instanceof JsonObjectReader was ? was : new JsonObjectReader.Builder().build(),
                                    object)
                            : value);
        }
        for (int i = 0; i < before.size(); i++) {
            if (after.get(before.name(i)) == null) {
                patch.put(before.name(i), new JsonValue.JsonNull(JsonValue.NO_LINE));
            }
        }
        return patch.build();
    }
}
