package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import org.jspecify.annotations.Nullable;

/** How one kind of value is read, written and described. */
public interface Codec<T> {

    /** The value, or null after telling at least one problem. */
    @Nullable
    T read(Tree tree, Problems problems);

    void write(JsonWriter out, T value);

    /** The JSON Schema (2020-12) of what is written, and of what is read at its best. */
    Obj schema();
}
