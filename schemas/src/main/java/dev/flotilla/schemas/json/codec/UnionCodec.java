package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for a sealed type: the field {@code type} names the variant, and the variant's fields follow. */
public final class UnionCodec<T> implements JsonCodec<T> {
    private static final String TYPE = "type";
    private static final byte[] ENCODED_TYPE = JsonWriter.encodeName(TYPE);

    private record Variant<T, V extends T>(String label, Class<V> type, JsonObjectCodec<V> codec) {
        void write(JsonWriter out, T value) {
            codec.writeMembers(out, type.cast(value));
        }
    }

    private final String title;
    private final String description;
    private final String discriminatorDescription;
    private final List<Variant<T, ?>> variants = new ArrayList<>();

    /**
     * Makes a codec without variants.
     *
     * @param about the description of the field {@code type}
     */
    public UnionCodec(String title, String description, String about) {
        this.title = title;
        this.description = description;
        this.discriminatorDescription = about;
    }

    /** Returns a copy with one more variant. */
    public <V extends T> UnionCodec<T> with(String label, Class<V> type, JsonObjectCodec<V> codec) {
        UnionCodec<T> union = new UnionCodec<>(title, description, discriminatorDescription);
        union.variants.addAll(variants);
        union.variants.add(new Variant<>(label, type, codec));
        return union;
    }

    @Override
    public @Nullable T read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader jsonObjectReader)) {
            problems.addWrongType(jsonValue, "an object");
            return null;
        }
        JsonValue label = jsonObjectReader.get(TYPE);
        if (label == null || label instanceof JsonValue.JsonNull) {
            problems.addMissingField(jsonValue, TYPE, null);
            return null;
        }
        for (Variant<T, ?> variant : variants) {
            if (label instanceof JsonValue.JsonString jsonString
                    && variant.label().equals(jsonString.value())) {
                return variant.codec().read(jsonValue, problems, TYPE);
            }
        }
        problems.enter(TYPE);
        EnumCodec.addUnknownLabel(label, problems, labels());
        problems.leave();
        return null;
    }

    @Override
    public void write(JsonWriter out, T value) {
        for (Variant<T, ?> variant : variants) {
            if (variant.type().isInstance(value)) {
                out.beginObject();
                out.name(ENCODED_TYPE);
                out.text(variant.label());
                variant.write(out, value);
                out.endObject();
                return;
            }
        }
        throw new IllegalStateException("no variant for " + value);
    }

    @Override
    public JsonObjectReader schema() {
        List<JsonValue> each = new ArrayList<>();
        for (Variant<T, ?> variant : variants) {
            each.add(JsonObjectSchemaFactory.variant(variant.codec(), TYPE, variant.label(), discriminatorDescription));
        }
        return new JsonObjectReader.Builder()
                .put("title", title)
                .put("description", description)
                .put("type", "object")
                .put("oneOf", new JsonValue.JsonArray(each, JsonValue.NO_LINE))
                .build();
    }

    private List<String> labels() {
        return variants.stream().map(Variant::label).toList();
    }
}
