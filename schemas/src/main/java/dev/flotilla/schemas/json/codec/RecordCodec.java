package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A record as an object with named members, in the order of their declaration. */
public final class RecordCodec<R> implements Codec<R> {

    /** Makes the record of what was read; where fields do not go together it tells so and returns null. */
    @FunctionalInterface
    public interface Maker<R> {
        @Nullable
        R make(Values values, Tree at, Problems problems);
    }

    private final String title;
    private final String description;
    private final List<Field<R>> fields;
    private final List<String> names;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Maker<R> maker;

    private RecordCodec(String title, String description, List<Field<R>> fields, Maker<R> maker) {
        this.title = title;
        this.description = description;
        this.fields = List.copyOf(fields);
        this.names = fields.stream().map(Field::name).toList();
        this.maker = maker;
        for (int i = 0; i < fields.size(); i++) {
            indexes.put(fields.get(i).name(), i);
        }
    }

    /** Begins a declaration. */
    public static <R> Declaration<R> of(String title, String description) {
        return new Declaration<>(title, description);
    }

    public String title() {
        return title;
    }

    public String description() {
        return description;
    }

    List<Field<R>> fields() {
        return fields;
    }

    @Override
    public @Nullable R read(Tree tree, Problems problems) {
        return read(tree, problems, null);
    }

    /** Reads an object of which one member is none of this record's, since it told that this record is meant. */
    @Nullable
    R read(Tree tree, Problems problems, @Nullable String discriminator) {
        if (!(tree instanceof Obj obj)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        @Nullable Object[] slots = new Object[fields.size()];
        boolean[] seen = new boolean[fields.size()];
        boolean good = true;
        int expected = 0;
        for (int i = 0; i < obj.size(); i++) {
            String name = obj.name(i);
            int index = indexOf(name, expected);
            if (index >= 0) {
                expected = index + 1;
                if (!(obj.value(i) instanceof Tree.Nothing)) {
                    seen[index] = true;
                    problems.enter(name);
                    slots[index] = fields.get(index).read(obj.value(i), problems);
                    problems.leave();
                    good &= slots[index] != null;
                }
            } else if (!name.equals(discriminator)) {
                problems.unknown(name, obj.value(i), names);
            }
        }
        good &= fillIn(obj, slots, seen, problems);
        return good ? maker.make(new Values(slots), tree, problems) : null;
    }

    /** Puts defaults where nothing was said; false if something must be said there. */
    private boolean fillIn(Obj obj, @Nullable Object[] slots, boolean[] seen, Problems problems) {
        boolean good = true;
        for (int i = 0; i < slots.length; i++) {
            if (!seen[i] && fields.get(i) instanceof Field.Given<R, ?> given) {
                slots[i] = given.fallback;
                if (given.fallback == null) {
                    problems.missing(obj, given.name(), given.description());
                    good = false;
                }
            }
        }
        return good;
    }

    /** Our own writers keep the order of the fields, so that the next one is nearly always the right one. */
    private int indexOf(String name, int expected) {
        if (expected < names.size() && names.get(expected).equals(name)) {
            return expected;
        }
        Integer index = indexes.get(name);
        return index == null ? -1 : index;
    }

    @Override
    public void write(JsonWriter out, R value) {
        out.beginObject();
        writeMembers(out, value);
        out.endObject();
    }

    void writeMembers(JsonWriter out, R value) {
        for (Field<R> field : fields) {
            field.write(out, value);
        }
    }

    @Override
    public Obj schema() {
        return Described.record(this);
    }

    /** A declaration in the making. */
    public static final class Declaration<R> {
        private final String title;
        private final String description;
        private final List<Field<R>> fields = new ArrayList<>();

        private Declaration(String title, String description) {
            this.title = title;
            this.description = description;
        }

        /** A member that must be there. */
        public <T> Field.Given<R, T> required(String name, Codec<T> codec, String text, Function<R, T> getter) {
            return add(new Field.Given<>(fields.size(), name, codec, null, false, text, getter));
        }

        /** A member that means this default where it is left out. */
        public <T> Field.Given<R, T> defaulted(
                String name, Codec<T> codec, T fallback, String text, Function<R, T> getter) {
            return add(new Field.Given<>(fields.size(), name, codec, fallback, false, text, getter));
        }

        /**
         * A member that is left out where it has its usual value. For what nobody chooses: a default that somebody may
         * have relied on is written, so that it stays what it was when a later version changes it.
         */
        public <T> Field.Given<R, T> usual(String name, Codec<T> codec, T usual, String text, Function<R, T> getter) {
            return add(new Field.Given<>(fields.size(), name, codec, usual, true, text, getter));
        }

        /** A member that may be left out. */
        public <T> Field.Maybe<R, T> optional(
                String name, Codec<T> codec, String text, Function<R, @Nullable T> getter) {
            return add(new Field.Maybe<>(fields.size(), name, codec, text, getter));
        }

        /** A member of the contract that this version refuses. */
        public void later(String name, Codec<?> codec, String feature, String text) {
            fields.add(new Field.Later<>(name, codec, feature, text));
        }

        /** The codec of a record that its constructor makes of any good fields. */
        public RecordCodec<R> build(Function<Values, R> constructor) {
            return build((values, at, problems) -> constructor.apply(values));
        }

        /** The codec of a record whose fields must also go together. */
        public RecordCodec<R> build(Maker<R> maker) {
            return new RecordCodec<>(title, description, fields, maker);
        }

        private <F extends Field<R>> F add(F field) {
            fields.add(field);
            return field;
        }
    }
}
