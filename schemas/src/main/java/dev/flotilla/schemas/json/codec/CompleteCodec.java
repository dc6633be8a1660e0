package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.codec.ProblemCollector.UnknownFields;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value only if all of its fields are known, in rows whose other unknown fields are ignored: rules that people
 * wrote and a newer version accepted. A version that ignored one of them would upgrade machines against it.
 */
public record CompleteCodec<T>(JsonCodec<T> codec) implements JsonCodec<T> {
    @Override
    public @Nullable T read(JsonValue jsonValue, ProblemCollector problems) {
        UnknownFields before = problems.switchUnknownFields(UnknownFields.OF_A_NEWER_VERSION);
        T value = codec.read(jsonValue, problems);
        problems.switchUnknownFields(before);
        return value;
    }

    @Override
    public void write(JsonWriter out, T value) {
        codec.write(out, value);
    }

    @Override
    public JsonObjectReader schema() {
        return codec.schema();
    }
}
