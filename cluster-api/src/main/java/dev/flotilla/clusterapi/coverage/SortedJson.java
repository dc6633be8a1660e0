package dev.flotilla.clusterapi.coverage;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Brings the names of a value into one order, so that the same value has the same text and hash. */
final class SortedJson {
    private SortedJson() {}

    /** Returns a value whose names are in one order, at every level. */
    static JsonValue sort(JsonValue value) {
        if (value instanceof JsonObjectReader object) {
            TreeSet<String> names = new TreeSet<>();
            for (int i = 0; i < object.size(); i++) {
                names.add(object.name(i));
            }
            JsonObjectReader.Builder sorted = new JsonObjectReader.Builder();
            for (String name : names) {
                JsonValue member = object.get(name);
                if (member != null) {
                    sorted.put(name, sort(member));
                }
            }
            return sorted.build();
        }
        if (value instanceof JsonValue.JsonArray array) {
            List<JsonValue> items = new ArrayList<>();
            array.items().forEach(item -> items.add(sort(item)));
            return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
        }
        return value;
    }
}
