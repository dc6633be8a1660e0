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
 * @param problemOf what is wrong with a text, or null
 * @param hintOf what may be meant by a wrong text, or null
 * @param parse makes the value of a text without a problem
 * @param form the schema's keywords beside the type
 */
record Parsing<T>(
        String what,
        Function<String, @Nullable String> problemOf,
        Function<String, @Nullable String> hintOf,
        Function<String, T> parse,
        Function<T, String> print,
        Obj form)
        implements Codec<T> {
    @Override
    public @Nullable T read(Tree tree, Problems problems) {
        if (!(tree instanceof Tree.Text text)) {
            problems.wrongType(tree, what);
            return null;
        }
        String problem = problemOf.apply(text.value());
        if (problem != null) {
            problems.badValue(tree, problem, hintOf.apply(text.value()));
            return null;
        }
        return parse.apply(text.value());
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
