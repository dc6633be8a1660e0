package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON codec for a record as an object whose members are in the order of their declaration. */
public final class JsonObjectCodec<R> implements JsonCodec<R> {

    /** Makes a record of its decoded fields; if they contradict each other, it reports a problem and returns null. */
    @FunctionalInterface
    public interface ObjectFactory<R> {
        @Nullable
        R make(DecodedFields values, JsonValue at, ProblemCollector problems);
    }

    private final String title;
    private final String description;
    private final List<JsonObjectField<R>> fields;
    private final List<String> names;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final ObjectFactory<R> factory;

    private JsonObjectCodec(String title, String description, List<JsonObjectField<R>> fields, ObjectFactory<R> maker) {
        this.title = title;
        this.description = description;
        this.fields = List.copyOf(fields);
        this.names = fields.stream().map(JsonObjectField::name).toList();
        this.factory = maker;
        for (int i = 0; i < fields.size(); i++) {
            indexes.put(fields.get(i).name(), i);
        }
    }

    /** Begins the declaration of a codec. */
    public static <R> CodecBuilder<R> of(String title, String description) {
        return new CodecBuilder<>(title, description);
    }

    public String title() {
        return title;
    }

    public String description() {
        return description;
    }

    List<JsonObjectField<R>> fields() {
        return fields;
    }

    @Override
    public @Nullable R read(JsonValue jsonValue, ProblemCollector problems) {
        return read(jsonValue, problems, null);
    }

    /** Reads an object that also has a discriminator, which is not a field of the record. */
    @Nullable
    R read(JsonValue jsonValue, ProblemCollector problems, @Nullable String discriminator) {
        if (!(jsonValue instanceof JsonObjectReader jsonObjectReader)) {
            problems.add(
                    RejectionReason.WRONG_TYPE,
                    jsonValue,
                    "must be an object",
                    names.isEmpty() ? null : "with the fields " + String.join(", ", names));
            return null;
        }
        @Nullable Object[] slots = new Object[fields.size()];
        boolean[] seen = new boolean[fields.size()];
        boolean good = true;
        int expected = 0;
        for (int i = 0; i < jsonObjectReader.size(); i++) {
            String name = jsonObjectReader.name(i);
            int index = indexOf(name, expected);
            if (index >= 0) {
                expected = index + 1;
                if (!(jsonObjectReader.value(i) instanceof JsonValue.JsonNull)) {
                    seen[index] = true;
                    problems.enter(name);
                    slots[index] = fields.get(index).read(jsonObjectReader.value(i), problems);
                    problems.leave();
                    good &= slots[index] != null;
                }
            } else if (!name.equals(discriminator)) {
                problems.addUnknownField(name, jsonObjectReader.value(i), names);
            }
        }
        good &= fillInDefaults(jsonObjectReader, slots, seen, problems);
        return good ? factory.make(new DecodedFields(slots), jsonValue, problems) : null;
    }

    /** Fills in defaults for absent fields; returns false if a required field is missing. */
    private boolean fillInDefaults(
            JsonObjectReader jsonObjectReader, @Nullable Object[] slots, boolean[] seen, ProblemCollector problems) {
        boolean good = true;
        for (int i = 0; i < slots.length; i++) {
            if (!seen[i] && fields.get(i) instanceof JsonObjectField.NonNullField<R, ?> given) {
                slots[i] = given.fallback;
                if (given.fallback == null) {
                    problems.addMissingField(jsonObjectReader, given.name(), given.description());
                    good = false;
                }
            }
        }
        return good;
    }

    /** Finds a field by name. Flotilla's writers keep the order of fields, so the expected one is nearly always right. */
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
        for (JsonObjectField<R> field : fields) {
            field.write(out, value);
        }
    }

    @Override
    public JsonObjectReader schema() {
        return JsonObjectSchemaFactory.record(this);
    }

    /** Builds a codec from declarations of fields. */
    public static final class CodecBuilder<R> {
        private final String title;
        private final String description;
        private final List<JsonObjectField<R>> fields = new ArrayList<>();

        private CodecBuilder(String title, String description) {
            this.title = title;
            this.description = description;
        }

        /** Declares a required field. */
        public <T> JsonObjectField.NonNullField<R, T> required(
                String name, JsonCodec<T> codec, String text, Function<R, T> getter) {
            return add(new JsonObjectField.NonNullField<>(fields.size(), name, codec, null, false, text, getter));
        }

        /** Declares a field with a default that is used if the field is absent. */
        public <T> JsonObjectField.NonNullField<R, T> defaulted(
                String name, JsonCodec<T> codec, T fallback, String text, Function<R, T> getter) {
            return add(new JsonObjectField.NonNullField<>(fields.size(), name, codec, fallback, false, text, getter));
        }

        /**
         * Declares a field that is not written if it has its default. Only for fields that users do not choose: other defaults are
         * written, so that the value stays the same when a later version changes the default.
         */
        public <T> JsonObjectField.NonNullField<R, T> omittedIfDefault(
                String name, JsonCodec<T> codec, T usual, String text, Function<R, T> getter) {
            return add(new JsonObjectField.NonNullField<>(fields.size(), name, codec, usual, true, text, getter));
        }

        /** Declares an optional field. */
        public <T> JsonObjectField.NullableField<R, T> optional(
                String name, JsonCodec<T> codec, String text, Function<R, @Nullable T> getter) {
            return add(new JsonObjectField.NullableField<>(fields.size(), name, codec, text, getter));
        }

        /** Declares a field of the contract that this version does not support. */
        public void unsupported(String name, JsonCodec<?> codec, String feature, String text) {
            fields.add(new JsonObjectField.UnsupportedField<>(name, codec, feature, text));
        }

        /** Builds the codec of a record whose fields are independent of each other. */
        public JsonObjectCodec<R> build(Function<DecodedFields, R> constructor) {
            return build((values, at, problems) -> constructor.apply(values));
        }

        /** Builds the codec of a record whose fields must be consistent. */
        public JsonObjectCodec<R> build(ObjectFactory<R> maker) {
            return new JsonObjectCodec<>(title, description, fields, maker);
        }

        private <F extends JsonObjectField<R>> F add(F field) {
            fields.add(field);
            return field;
        }
    }
}
