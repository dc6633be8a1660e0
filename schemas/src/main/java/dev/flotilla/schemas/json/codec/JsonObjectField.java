package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A field of a JSON object. Constructors use it as a typed handle to the decoded value. */
public sealed interface JsonObjectField<R> {
    String name();

    String description();

    JsonCodec<?> codec();

    /** Reads the value of the field; null after it has reported a problem. */
    @Nullable
    Object read(JsonValue jsonValue, ProblemCollector problems);

    void write(JsonWriter out, R value);

    /** A field that has a value in every record. Without a default it is required in JSON as well. */
    final class NonNullField<R, T> implements JsonObjectField<R> {
        final int index;
        final @Nullable T fallback;
        private final boolean omitDefault;
        private final String name;
        private final byte[] encodedName;
        private final JsonCodec<T> codec;
        private final String description;
        private final Function<R, T> getter;

        NonNullField(
                int index,
                String name,
                JsonCodec<T> codec,
                @Nullable T fallback,
                boolean omitDefault,
                String description,
                Function<R, T> getter) {
            this.index = index;
            this.name = name;
            this.encodedName = JsonWriter.encodeName(name);
            this.codec = codec;
            this.fallback = fallback;
            this.omitDefault = omitDefault;
            this.description = description;
            this.getter = getter;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String description() {
            return description;
        }

        @Override
        public JsonCodec<T> codec() {
            return codec;
        }

        @Override
        public @Nullable Object read(JsonValue jsonValue, ProblemCollector problems) {
            return codec.read(jsonValue, problems);
        }

        @Override
        public void write(JsonWriter out, R value) {
            T content = getter.apply(value);
            if (!omitDefault || !content.equals(fallback)) {
                out.name(encodedName);
                codec.write(out, content);
            }
        }
    }

    /** An optional field; it is absent in JSON if its value is null. */
    final class NullableField<R, T> implements JsonObjectField<R> {
        final int index;
        private final String name;
        private final byte[] encodedName;
        private final JsonCodec<T> codec;
        private final String description;
        private final Function<R, @Nullable T> getter;

        NullableField(int index, String name, JsonCodec<T> codec, String description, Function<R, @Nullable T> getter) {
            this.index = index;
            this.name = name;
            this.encodedName = JsonWriter.encodeName(name);
            this.codec = codec;
            this.description = description;
            this.getter = getter;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String description() {
            return description;
        }

        @Override
        public JsonCodec<T> codec() {
            return codec;
        }

        @Override
        public @Nullable Object read(JsonValue jsonValue, ProblemCollector problems) {
            return codec.read(jsonValue, problems);
        }

        @Override
        public void write(JsonWriter out, R value) {
            T content = getter.apply(value);
            if (content != null) {
                out.name(encodedName);
                codec.write(out, content);
            }
        }
    }

    /**
     * A field of the contract that this version does not support. Its value is validated, so that all problems are reported at
     * once, and then rejected: a requested feature must never be ignored silently.
     *
     * @param feature the name of the feature, for messages
     */
    record UnsupportedField<R, T>(String name, JsonCodec<T> codec, String feature, String text)
            implements JsonObjectField<R> {
        @Override
        public String description() {
            return text + " Not supported by this version, which rejects a document that has it.";
        }

        @Override
        public @Nullable Object read(JsonValue jsonValue, ProblemCollector problems) {
            if (codec.read(jsonValue, problems) != null) {
                problems.add(
                        RejectionReason.NOT_SUPPORTED,
                        jsonValue,
                        "requires " + feature + ", which this version does not support",
                        null);
            }
            return null;
        }

        @Override
        public void write(JsonWriter out, R value) {}
    }
}
