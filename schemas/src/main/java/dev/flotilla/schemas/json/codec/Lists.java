package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of at most so many values of one kind. */
public record Lists<T>(Codec<T> item, int max) implements Codec<List<T>> {
    @Override
    public @Nullable List<T> read(Tree tree, Problems problems) {
        if (!(tree instanceof Tree.Arr arr)) {
            problems.wrongType(tree, "a list");
            return null;
        }
        List<Tree> trees = arr.items();
        if (trees.size() > max) {
            problems.badValue(tree, "has " + trees.size() + " entries; at most " + max + " are taken", null);
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
    public Obj schema() {
        return new Obj.Builder()
                .put("type", "array")
                .put("items", item.schema())
                .put("maxItems", max)
                .build();
    }
}
