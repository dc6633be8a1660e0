package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One of a few values, by its label. */
public final class Choice<E extends Enum<E>> implements Codec<E> {
    private final Function<E, String> label;
    private final List<String> labels = new ArrayList<>();
    private final Map<String, E> byLabel = new HashMap<>();
    private final Map<String, String> later;

    private Choice(List<E> values, Function<E, String> label, Map<String, String> later) {
        this.label = label;
        this.later = later;
        for (E value : values) {
            labels.add(label.apply(value));
            byLabel.put(label.apply(value), value);
        }
    }

    public static <E extends Enum<E>> Choice<E> of(Class<E> type, Function<E, String> label) {
        return new Choice<>(List.of(type.getEnumConstants()), label, Map.of());
    }

    /** A choice among some of a type's values. */
    public static <E extends Enum<E>> Choice<E> of(List<E> values, Function<E, String> label) {
        return new Choice<>(values, label, Map.of());
    }

    /** A choice that also has labels of the contract that this version refuses; each with what is asked for by it. */
    public static <E extends Enum<E>> Choice<E> of(
            Class<E> type, Function<E, String> label, Map<String, String> later) {
        return new Choice<>(List.of(type.getEnumConstants()), label, later);
    }

    @Override
    public @Nullable E read(Tree tree, Problems problems) {
        E value = tree instanceof Tree.Text text ? byLabel.get(text.value()) : null;
        if (value != null) {
            return value;
        }
        String feature = tree instanceof Tree.Text text ? later.get(text.value()) : null;
        if (feature != null) {
            problems.add(
                    RejectionReason.NOT_SUPPORTED,
                    tree,
                    "asks for " + feature + ", which this version does not decide",
                    "decided: " + String.join(", ", labels));
        } else {
            refuse(tree, problems, allowed());
        }
        return null;
    }

    /** Tells that none of the labels stands there. */
    static void refuse(Tree tree, Problems problems, List<String> labels) {
        if (tree instanceof Tree.Text text) {
            String near = Suggestion.nearest(text.value(), labels);
            problems.badValue(
                    tree,
                    "must be one of " + String.join(", ", labels),
                    near == null ? null : "did you mean " + near + "?");
        } else {
            problems.wrongType(tree, "one of the texts " + String.join(", ", labels));
        }
    }

    @Override
    public void write(JsonWriter out, E value) {
        out.text(label.apply(value));
    }

    @Override
    public Obj schema() {
        return new Obj.Builder().put("type", "string").put("enum", allowed()).build();
    }

    private List<String> allowed() {
        List<String> all = new ArrayList<>(labels);
        later.keySet().stream().sorted().forEach(all::add);
        return all;
    }
}
