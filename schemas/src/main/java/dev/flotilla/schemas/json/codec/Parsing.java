package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that is a text of a certain form.
 *
 * @param what it is, with an article, for whoever wrote a number instead
 * @param parse the value of a text, or null for a wrong one
 * @param problemOf what is wrong with a wrong text
 * @param hintOf what may be meant by it, or null
 * @param form the schema's keywords beside the type
 */
record Parsing<T>(
        String what,
        Function<String, @Nullable T> parse,
        Function<String, String> problemOf,
        Function<String, @Nullable String> hintOf,
        Function<T, String> print,
        Obj form)
        implements Codec<T> {
    @Override
    public @Nullable T read(Tree tree, Problems problems) {
        if (!(tree instanceof Tree.Text text)) {
            problems.wrongType(tree, what);
            return null;
        }
        T value = parse.apply(text.value());
        if (value == null) {
            problems.badValue(tree, problemOf.apply(text.value()), hintOf.apply(text.value()));
        }
        return value;
    }

    @Override
    public void write(JsonWriter out, T value) {
        out.text(print.apply(value));
    }

    @Override
    public Obj schema() {
        Obj.Builder schema = new Obj.Builder().put("type", "string");
        for (int i = 0; i < form.size(); i++) {
            schema.put(form.name(i), form.value(i));
        }
        return schema.build();
    }
}
