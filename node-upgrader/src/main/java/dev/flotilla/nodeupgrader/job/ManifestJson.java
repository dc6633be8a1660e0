package dev.flotilla.nodeupgrader.job;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;

/** Builds the JSON of a manifest from names and values. */
final class ManifestJson {
    private ManifestJson() {}

    /** Returns an object of alternating names and values. */
    static JsonObjectReader object(Object... namesAndValues) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            builder.put((String) namesAndValues[i], value(namesAndValues[i + 1]));
        }
        return builder.build();
    }

    static JsonValue list(Object... values) {
        return listOf(List.of(values));
    }

    static JsonValue listOf(List<?> values) {
        List<JsonValue> items = new ArrayList<>();
        values.forEach(each -> items.add(value(each)));
        return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
    }

    private static JsonValue value(Object value) {
        return switch (value) {
            case JsonValue jsonValue -> jsonValue;
            case Boolean flag -> new JsonValue.JsonBoolean(flag, JsonValue.NO_LINE);
            case Number number -> new JsonValue.JsonInteger(number.longValue(), JsonValue.NO_LINE);
            default -> new JsonValue.JsonString(value.toString(), JsonValue.NO_LINE);
        };
    }
}
