package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for a list of values of one kind, with a maximum length. */
public record ListCodec<T>(JsonCodec<T> item, int max) implements JsonCodec<List<T>> {
    @Override
    public @Nullable List<T> read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonValue.JsonArray jsonArray)) {
            problems.addWrongType(jsonValue, "a list");
            return null;
        }
        List<JsonValue> trees = jsonArray.items();
        if (trees.size() > max) {
            problems.addBadValue(jsonValue, "has " + trees.size() + " entries; at most " + max + " are allowed", null);
            return null;
        }
        List<T> values = new ArrayList<>(trees.size());
        for (int i = 0; i < trees.size(); i++) {
            problems.enter(i);
            T value = item.read(trees.get(i), problems);
            problems.leave();
            if (value != null) {
                values.add(value);
            }
        }
        return values.size() == trees.size() ? values : null;
    }

    @Override
    public void write(JsonWriter out, List<T> values) {
        out.beginArray();
        for (T value : values) {
            item.write(out, value);
        }
        out.endArray();
    }

    @Override
    public JsonObjectReader schema() {
        return new JsonObjectReader.Builder()
                .put("type", "array")
                .put("items", item.schema())
                .put("maxItems", max)
                .build();
    }
}
