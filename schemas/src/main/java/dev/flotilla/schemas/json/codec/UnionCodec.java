package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for a sealed type: the discriminator names the variant, and the variant's fields follow. */
public final class UnionCodec<T> implements JsonCodec<T> {
    private record Variant<T, V extends T>(String label, Class<V> type, JsonObjectCodec<V> codec) {
        void write(JsonWriter out, T value) {
            codec.writeMembers(out, type.cast(value));
        }
    }

    private final String title;
    private final String description;
    private final String discriminator;
    private final byte[] encodedName;
    private final String about;
    private final List<Variant<T, ?>> variants = new ArrayList<>();

    /**
     * Makes a codec without variants.
     *
     * @param discriminator the name of the field that names the variant
     * @param about the description of that field
     */
    public UnionCodec(String title, String description, String discriminator, String about) {
        this.title = title;
        this.description = description;
        this.discriminator = discriminator;
        this.encodedName = JsonWriter.encodeName(discriminator);
        this.about = about;
    }

    /** Returns a copy with one more variant. */
    public <V extends T> UnionCodec<T> with(String label, Class<V> type, JsonObjectCodec<V> codec) {
        UnionCodec<T> union = new UnionCodec<>(title, description, discriminator, about);
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
        JsonValue label = jsonObjectReader.get(discriminator);
        if (label == null || label instanceof JsonValue.JsonNull) {
            problems.addMissingField(jsonValue, discriminator, null);
            return null;
        }
        for (Variant<T, ?> variant : variants) {
            if (label instanceof JsonValue.JsonString jsonString
                    && variant.label().equals(jsonString.value())) {
                return variant.codec().read(jsonValue, problems, discriminator);
            }
        }
        problems.enter(discriminator);
        EnumCodec.unsupported(label, problems, labels());
        problems.leave();
        return null;
    }

    @Override
    public void write(JsonWriter out, T value) {
        for (Variant<T, ?> variant : variants) {
            if (variant.type().isInstance(value)) {
                out.beginObject();
                out.name(encodedName);
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
            each.add(JsonObjectSchemaFactory.variant(variant.codec(), discriminator, variant.label(), about));
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
