package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON codec for settings of a client library, as names and texts; secrets are rejected. Numbers and booleans become texts. */
record ClientPropertiesCodec() implements JsonCodec<SortedMap<String, String>> {
    private static final int MAX = 256;

    @Override
    public @Nullable SortedMap<String, String> read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader jsonObjectReader)) {
            problems.addWrongType(jsonValue, "an object whose values are texts");
            return null;
        }
        if (jsonObjectReader.size() > MAX) {
            problems.addBadValue(
                    jsonValue, "has " + jsonObjectReader.size() + " settings; at most " + MAX + " are allowed", null);
            return null;
        }
        SortedMap<String, String> texts = new TreeMap<>();
        for (int i = 0; i < jsonObjectReader.size(); i++) {
            problems.enter(jsonObjectReader.name(i));
            String text = text(jsonObjectReader.name(i), jsonObjectReader.value(i), problems);
            problems.leave();
            if (text != null) {
                texts.put(jsonObjectReader.name(i), text);
            }
        }
        return texts.size() == jsonObjectReader.size() ? texts : null;
    }

    private static @Nullable String text(String name, JsonValue jsonValue, ProblemCollector problems) {
        if (ConfigRedactor.isSecret(name)) {
            problems.addBadValue(
                    new JsonValue.JsonString("", jsonValue.line()),
                    "is a secret and must not be in this file",
                    "move it to the file in secretsFile");
            return null;
        }
        return switch (jsonValue) {
            case JsonValue.JsonString jsonString -> jsonString.value();
            case JsonValue.JsonInteger jsonInteger -> Long.toString(jsonInteger.value());
            case JsonValue.JsonDecimal jsonDecimal -> jsonDecimal.text();
            case JsonValue.JsonBoolean jsonBoolean -> Boolean.toString(jsonBoolean.value());
            case JsonValue.JsonNull jsonNull -> "";
            case JsonValue.JsonArray jsonArray -> refuse(jsonArray, problems);
            case JsonObjectReader jsonObjectReader -> refuse(jsonObjectReader, problems);
        };
    }

    private static @Nullable String refuse(JsonValue jsonValue, ProblemCollector problems) {
        problems.addWrongType(jsonValue, "a text, a number or a boolean");
        return null;
    }

    @Override
    public void write(JsonWriter out, SortedMap<String, String> value) {
        out.beginObject();
        value.forEach((name, text) -> {
            out.name(name);
            out.text(text);
        });
        out.endObject();
    }

    @Override
    public JsonObjectReader schema() {
        return new JsonObjectReader.Builder()
                .put("type", "object")
                .put("maxProperties", MAX)
                .put(
                        "additionalProperties",
                        new JsonObjectReader.Builder().put("type", "string").build())
                .build();
    }
}
