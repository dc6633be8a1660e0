package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * JSON codec for a value that is written as text.
 *
 * @param what what the value is, with an article, for the message about a value that is not a text
 * @param parse returns the value of a text, or null for a wrong text
 * @param problemOf returns the problem of a wrong text
 * @param hintOf returns a hint for a wrong text, or null
 * @param form the keywords of the schema besides the type
 */
record TextCodec<T>(
        String what,
        Function<String, @Nullable T> parse,
        Function<String, String> problemOf,
        Function<String, @Nullable String> hintOf,
        Function<T, String> print,
        JsonObjectReader form)
        implements JsonCodec<T> {
    @Override
    public @Nullable T read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonValue.JsonString jsonString)) {
            problems.addWrongType(jsonValue, what);
            return null;
        }
        T value = parse.apply(jsonString.value());
        if (value == null) {
            problems.addBadValue(jsonValue, problemOf.apply(jsonString.value()), hintOf.apply(jsonString.value()));
        }
        return value;
    }

    @Override
    public void write(JsonWriter out, T value) {
        out.text(print.apply(value));
    }

    @Override
    public JsonObjectReader schema() {
        JsonObjectReader.Builder schema = new JsonObjectReader.Builder().put("type", "string");
        for (int i = 0; i < form.size(); i++) {
            schema.put(form.name(i), form.value(i));
        }
        return schema.build();
    }
}
