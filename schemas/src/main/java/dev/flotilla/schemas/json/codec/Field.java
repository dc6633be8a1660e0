package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.RejectionReason;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One member of a record's object. The handles are how a constructor gets at what was read, with its type. */
public sealed interface Field<R> {
    String name();

    String description();

    Codec<?> codec();

    /** Reads what stands there; null after telling a problem. */
    @Nullable
    Object read(Tree tree, Problems problems);

    void write(JsonWriter out, R value);

    /** A member that has a value in every record. With no default it must always be written, too. */
    final class Given<R, T> implements Field<R> {
        final int index;
        final @Nullable T fallback;
        private final boolean brief;
        private final String name;
        private final byte[] spelled;
        private final Codec<T> codec;
        private final String description;
        private final Function<R, T> getter;

        Given(
                int index,
                String name,
                Codec<T> codec,
                @Nullable T fallback,
                boolean brief,
                String description,
                Function<R, T> getter) {
            this.index = index;
            this.name = name;
            this.spelled = JsonWriter.spelled(name);
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
        public Codec<T> codec() {
            return codec;
        }

        @Override
        public @Nullable Object read(Tree tree, Problems problems) {
            return codec.read(tree, problems);
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
    final class Maybe<R, T> implements Field<R> {
        final int index;
        private final String name;
        private final byte[] spelled;
        private final Codec<T> codec;
        private final String description;
        private final Function<R, @Nullable T> getter;

        Maybe(int index, String name, Codec<T> codec, String description, Function<R, @Nullable T> getter) {
            this.index = index;
            this.name = name;
            this.spelled = JsonWriter.spelled(name);
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
        public Codec<T> codec() {
            return codec;
        }

        @Override
        public @Nullable Object read(Tree tree, Problems problems) {
            return codec.read(tree, problems);
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
    record Later<R, T>(String name, Codec<T> codec, String feature, String text) implements Field<R> {
        @Override
        public String description() {
            return text + " Not decided by this version, which refuses a document that asks for it.";
        }

        @Override
        public @Nullable Object read(Tree tree, Problems problems) {
            if (codec.read(tree, problems) != null) {
                problems.add(
                        RejectionReason.NOT_SUPPORTED,
                        tree,
                        "asks for " + feature + ", which this version does not decide",
                        null);
            }
            return null;
        }

        @Override
        public void write(JsonWriter out, R value) {}
    }
}
