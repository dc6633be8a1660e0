package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that is always written, as null if there is none, so that clients can rely on the member. */
record NullableCodec<T>(JsonCodec<T> codec) implements JsonCodec<NullableCodec.NullableValue<T>> {

    /** A value, or null. */
    record NullableValue<T>(@Nullable T value) {}

    @Override
    public @Nullable NullableValue<T> read(JsonValue jsonValue, ProblemCollector problems) {
        T value = codec.read(jsonValue, problems);
        return value == null ? null : new NullableValue<>(value);
    }

    @Override
    public void write(JsonWriter out, NullableValue<T> nullableValue) {
        T value = nullableValue.value();
        if (value != null) {
            codec.write(out, value);
        } else {
            out.jsonValue(new JsonValue.JsonNull(JsonValue.NO_LINE));
        }
    }

    @Override
    public JsonObjectReader schema() {
        JsonObjectReader nothing =
                new JsonObjectReader.Builder().put("type", "null").build();
        return new JsonObjectReader.Builder()
                .put("anyOf", new JsonValue.JsonArray(List.of(codec.schema(), nothing), JsonValue.NO_LINE))
                .build();
    }
}
