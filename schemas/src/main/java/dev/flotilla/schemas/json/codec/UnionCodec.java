package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A sealed type as one object: a member names the variant, the variant's own members follow. */
public final class UnionCodec<T> implements Codec<T> {
    private record Variant<T, V extends T>(String label, Class<V> type, RecordCodec<V> codec) {
        void write(JsonWriter out, T value) {
            codec.writeMembers(out, type.cast(value));
        }
    }

    private final String title;
    private final String description;
    private final String discriminator;
    private final byte[] spelled;
    private final String about;
    private final List<Variant<T, ?>> variants = new ArrayList<>();

    /**
     * A union without variants yet.
     *
     * @param discriminator the member that names the variant
     * @param about what that member says
     */
    public UnionCodec(String title, String description, String discriminator, String about) {
        this.title = title;
        this.description = description;
        this.discriminator = discriminator;
        this.spelled = JsonWriter.spelled(discriminator);
        this.about = about;
    }

    /** This union with one more variant. */
    public <V extends T> UnionCodec<T> with(String label, Class<V> type, RecordCodec<V> codec) {
        UnionCodec<T> union = new UnionCodec<>(title, description, discriminator, about);
        union.variants.addAll(variants);
        union.variants.add(new Variant<>(label, type, codec));
        return union;
    }

    @Override
    public @Nullable T read(Tree tree, Problems problems) {
        if (!(tree instanceof Obj obj)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        Tree label = obj.get(discriminator);
        if (label == null || label instanceof Tree.Nothing) {
            problems.missing(tree, discriminator, null);
            return null;
        }
        for (Variant<T, ?> variant : variants) {
            if (label instanceof Tree.Text text && variant.label().equals(text.value())) {
                return variant.codec().read(tree, problems, discriminator);
            }
        }
        problems.enter(discriminator);
        Choice.refuse(label, problems, labels());
        problems.leave();
        return null;
    }

    @Override
    public void write(JsonWriter out, T value) {
        for (Variant<T, ?> variant : variants) {
            if (variant.type().isInstance(value)) {
                out.beginObject();
                out.name(spelled);
                out.text(variant.label());
                variant.write(out, value);
                out.endObject();
                return;
            }
        }
        throw new IllegalStateException("no variant for " + value);
    }

    @Override
    public Obj schema() {
        List<Tree> each = new ArrayList<>();
        for (Variant<T, ?> variant : variants) {
            each.add(Described.variant(variant.codec(), discriminator, variant.label(), about));
        }
        return new Obj.Builder()
                .put("title", title)
                .put("description", description)
                .put("type", "object")
                .put("oneOf", new Tree.Arr(each, Tree.NO_LINE))
                .build();
    }

    private List<String> labels() {
        return variants.stream().map(Variant::label).toList();
    }
}
