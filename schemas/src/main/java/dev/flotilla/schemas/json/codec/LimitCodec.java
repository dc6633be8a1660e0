package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many machines: a number such as {@code 40}, or a share such as {@code "5%"}. */
public record LimitCodec() implements Codec<Limit> {
    private static final int MAX_COUNT = 99_999_999;
    private static final String FORM =
            "must be a number of machines from 1 to 99999999, or a percentage from \"1%\" to \"100%\"";

    @Override
    public @Nullable Limit read(Tree tree, Problems problems) {
        Limit limit = switch (tree) {
            case Tree.Text text -> Limit.parse(text.value());
            case Tree.Whole whole ->
                whole.value() >= 1 && whole.value() <= MAX_COUNT ? new Limit.Count((int) whole.value()) : null;
            case Tree.Inexact inexact -> null;
            case Tree.Arr arr -> null;
            case Tree.Flag flag -> null;
            case Tree.Nothing nothing -> null;
            case Obj obj -> null;
        };
        if (limit == null) {
            if (tree instanceof Tree.Text || tree instanceof Tree.Whole) {
                problems.badValue(tree, FORM, null);
            } else {
                problems.wrongType(tree, "a number of machines, or a percentage such as \"5%\"");
            }
        }
        return limit;
    }

    @Override
    public void write(JsonWriter out, Limit value) {
        switch (value) {
            case Limit.Count count -> out.whole(count.count());
            case Limit.Percent percent -> out.text(percent.toString());
        }
    }

    @Override
    public Obj schema() {
        Obj count = new Obj.Builder()
                .put("type", "integer")
                .put("minimum", 1)
                .put("maximum", MAX_COUNT)
                .build();
        Obj percent = new Obj.Builder()
                .put("type", "string")
                .put("pattern", "^([1-9][0-9]?|100)%$|^[1-9][0-9]{0,7}$")
                .build();
        return new Obj.Builder()
                .put("anyOf", new Tree.Arr(List.of(count, percent), Tree.NO_LINE))
                .build();
    }
}
