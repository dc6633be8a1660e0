package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One member of a record's object. The handles are how a constructor gets at what was read, with its type. */
public sealed interface JsonObjectField<R> {
    String name();

    String description();

    JsonCodec<?> codec();

    /** Reads what stands there; null after telling a problem. */
    @Nullable
    Object read(JsonValue jsonValue, ProblemCollector problems);

    void write(JsonWriter out, R value);

    /** A member that has a value in every record. With no default it must always be written, too. */
    final class NonNullField<R, T> implements JsonObjectField<R> {
        final int index;
        final @Nullable T fallback;
        private final boolean brief;
        private final String name;
        private final byte[] spelled;
        private final JsonCodec<T> codec;
        private final String description;
        private final Function<R, T> getter;

        NonNullField(
                int index,
                String name,
                JsonCodec<T> codec,
                @Nullable T fallback,
                boolean brief,
                String description,
                Function<R, T> getter) {
            this.index = index;
            this.name = name;
            this.spelled = JsonWriter.encodeName(name);
            this.codec = codec;
            this.fallback = fallback;
            this.brief = brief;
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
            if (!brief || !content.equals(fallback)) {
                out.name(spelled);
                codec.write(out, content);
            }
        }
    }

    /** A member that may be absent, and is when there is nothing to say. */
    final class NullableField<R, T> implements JsonObjectField<R> {
        final int index;
        private final String name;
        private final byte[] spelled;
        private final JsonCodec<T> codec;
        private final String description;
        private final Function<R, @Nullable T> getter;

        NullableField(int index, String name, JsonCodec<T> codec, String description, Function<R, @Nullable T> getter) {
            this.index = index;
            this.name = name;
            this.spelled = JsonWriter.encodeName(name);
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
                out.name(spelled);
                codec.write(out, content);
            }
        }
    }

    /**
     * A member that the contract has and this version does not decide. Its value is looked at, so that all problems are
     * told at once, and then refused: what is asked for must never be silently left out.
     *
     * @param feature what is asked for, in words
     */
    record UnsupportedField<R, T>(String name, JsonCodec<T> codec, String feature, String text)
            implements JsonObjectField<R> {
        @Override
        public String description() {
            return text + " Not decided by this version, which refuses a document that asks for it.";
        }

        @Override
        public @Nullable Object read(JsonValue jsonValue, ProblemCollector problems) {
            if (codec.read(jsonValue, problems) != null) {
                problems.add(
                        RejectionReason.NOT_SUPPORTED,
                        jsonValue,
                        "asks for " + feature + ", which this version does not decide",
                        null);
            }
            return null;
        }

        @Override
        public void write(JsonWriter out, R value) {}
    }
}
