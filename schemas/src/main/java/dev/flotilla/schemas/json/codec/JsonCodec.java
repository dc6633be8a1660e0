package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import org.jspecify.annotations.Nullable;

/** How one kind of value is read, written and described. */
public interface JsonCodec<T> {

    /** The value, or null after telling at least one problem. */
    @Nullable
    T read(JsonValue jsonValue, ProblemCollector problems);

    void write(JsonWriter out, T value);

    /** The JSON Schema (2020-12) of what is written, and of what is read at its best. */
    JsonObjectReader schema();
}
