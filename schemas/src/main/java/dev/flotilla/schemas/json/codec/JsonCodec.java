package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import org.jspecify.annotations.Nullable;

/** Reads, writes and describes one kind of JSON value. */
public interface JsonCodec<T> {

    /** Returns the value, or null after it has reported at least one problem. */
    @Nullable
    T read(JsonValue jsonValue, ProblemCollector problems);

    void write(JsonWriter out, T value);

    /** Returns the JSON Schema (2020-12) of what is written, which is also the recommended form for input. */
    JsonObjectReader schema();
}
