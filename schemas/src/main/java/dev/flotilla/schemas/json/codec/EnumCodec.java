package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON codec for an enum whose constants are written as labels. */
public final class EnumCodec<E extends Enum<E>> implements JsonCodec<E> {
    private final Function<E, String> label;
    private final List<String> labels = new ArrayList<>();
    private final Map<String, E> byLabel = new HashMap<>();

    private EnumCodec(List<E> values, Function<E, String> label) {
        this.label = label;
        for (E value : values) {
            labels.add(label.apply(value));
            byLabel.put(label.apply(value), value);
        }
    }

    public static <E extends Enum<E>> EnumCodec<E> of(Class<E> type, Function<E, String> label) {
        return new EnumCodec<>(List.of(type.getEnumConstants()), label);
    }

    /** A codec for some constants of a type. */
    public static <E extends Enum<E>> EnumCodec<E> of(List<E> values, Function<E, String> label) {
        return new EnumCodec<>(values, label);
    }

    @Override
    public @Nullable E read(JsonValue jsonValue, ProblemCollector problems) {
        E value = jsonValue instanceof JsonValue.JsonString jsonString ? byLabel.get(jsonString.value()) : null;
        if (value != null) {
            return value;
        }
        addUnknownLabel(jsonValue, problems, labels);
        return null;
    }

    /** Reports that a value is none of the labels. */
    static void addUnknownLabel(JsonValue jsonValue, ProblemCollector problems, List<String> labels) {
        if (jsonValue instanceof JsonValue.JsonString jsonString) {
            String near = SpellingSuggestion.nearest(jsonString.value(), labels);
            problems.addBadValue(
                    jsonValue,
                    "must be one of " + String.join(", ", labels),
                    near == null ? null : "did you mean " + near + "?");
        } else {
            problems.addWrongType(jsonValue, "one of the texts " + String.join(", ", labels));
        }
    }

    @Override
    public void write(JsonWriter out, E value) {
        out.text(label.apply(value));
    }

    @Override
    public JsonObjectReader schema() {
        return new JsonObjectReader.Builder()
                .put("type", "string")
                .put("enum", labels)
                .build();
    }
}
