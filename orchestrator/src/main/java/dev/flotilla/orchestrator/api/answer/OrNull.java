package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that is always written, as null where there is none: a program may count on the member. */
record OrNull<T>(Codec<T> codec) implements Codec<OrNull.Value<T>> {

    /** A value, or none. */
    record Value<T>(@Nullable T value) {}

    @Override
    public @Nullable Value<T> read(Tree tree, Problems problems) {
        T value = codec.read(tree, problems);
        return value == null ? null : new Value<>(value);
    }

    @Override
    public void write(JsonWriter out, Value<T> value) {
        T given = value.value();
        if (given != null) {
            codec.write(out, given);
        } else {
            out.tree(new Tree.Nothing(Tree.NO_LINE));
        }
    }

    @Override
    public Obj schema() {
        Obj nothing = new Obj.Builder().put("type", "null").build();
        return new Obj.Builder()
                .put("anyOf", new Tree.Arr(List.of(codec.schema(), nothing), Tree.NO_LINE))
                .build();
    }
}
