package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Codecs of single values. */
public final class Scalars {
    /** Long enough for any name, uid or version that others give. */
    public static final int MAX_TOKEN = 512;

    private static final String AN_INSTANT = "an instant such as 2026-01-02T03:04:05.678Z";

    public static final Codec<Boolean> FLAG = new FlagCodec();
    public static final Codec<Long> SEQ = new WholeCodec(0, Long.MAX_VALUE);
    public static final Codec<Integer> COUNT = integer(0, Integer.MAX_VALUE);
    public static final Codec<String> TOKEN = text(1, MAX_TOKEN);
    public static final Codec<Instant> INSTANT = new Parsing<>(
            AN_INSTANT,
            Instants::parse,
            wrong -> "must be " + AN_INSTANT,
            wrong -> null,
            Instants::print,
            new Obj.Builder().put("format", "date-time").build());

    private Scalars() {}

    /** A text whose length is within bounds. */
    public static Codec<String> text(int min, int max) {
        return new Parsing<>(
                "a text",
                text -> Texts.problemOf(text, min, max) == null ? text : null,
                wrong -> String.valueOf(Texts.problemOf(wrong, min, max)),
                wrong -> null,
                text -> text,
                new Obj.Builder().put("minLength", min).put("maxLength", max).build());
    }

    /** A text of a form that a function checks. */
    public static <T> Codec<T> parsed(
            String what,
            int max,
            Function<String, @Nullable String> problemOf,
            Function<String, T> parse,
            Function<T, String> print) {
        return hinted(what, max, problemOf, wrong -> null, parse, print);
    }

    /** A text of a form that a function checks, with a word on what may be meant by a wrong one. */
    public static <T> Codec<T> hinted(
            String what,
            int max,
            Function<String, @Nullable String> problemOf,
            Function<String, @Nullable String> hintOf,
            Function<String, T> parse,
            Function<T, String> print) {
        Function<String, @Nullable String> whole = text -> {
            String problem = Texts.problemOf(text, 1, max);
            return problem != null ? problem : problemOf.apply(text);
        };
        return new Parsing<>(
                what,
                text -> whole.apply(text) == null ? parse.apply(text) : null,
                wrong -> String.valueOf(whole.apply(wrong)),
                hintOf,
                print,
                new Obj.Builder().put("minLength", 1).put("maxLength", max).build());
    }

    /** A text that can be only one, such as an API version. */
    public static Codec<String> exactly(String only) {
        return new Parsing<>(
                "\"" + only + "\"",
                text -> text.equals(only) ? text : null,
                wrong -> "must be \"" + only + "\"",
                wrong -> null,
                text -> text,
                new Obj.Builder().put("const", only).build());
    }

    /** One of a few words for which there is no type. */
    public static Codec<String> oneOf(List<String> words) {
        return new Parsing<>(
                "one of the texts " + String.join(", ", words),
                text -> words.contains(text) ? text : null,
                wrong -> "must be one of " + String.join(", ", words),
                wrong -> null,
                text -> text,
                new Obj.Builder().put("enum", words).build());
    }

    /** A duration such as {@code 90s}, from one to another. */
    public static Codec<Duration> duration(Duration min, Duration max) {
        return new Parsing<>(
                "a duration such as 90s, 15m or 2h",
                text -> Lengths.problemOf(text, min, max) == null ? Lengths.parse(text) : null,
                wrong -> String.valueOf(Lengths.problemOf(wrong, min, max)),
                wrong -> null,
                Lengths::print,
                new Obj.Builder().put("pattern", Lengths.PATTERN).build());
    }

    public static Codec<Integer> integer(int min, int max) {
        return new IntegerCodec(new WholeCodec(min, max));
    }

    private record IntegerCodec(WholeCodec whole) implements Codec<Integer> {
        @Override
        public @Nullable Integer read(Tree tree, Problems problems) {
            Long value = whole.read(tree, problems);
            return value == null ? null : Math.toIntExact(value);
        }

        @Override
        public void write(JsonWriter out, Integer value) {
            out.whole(value);
        }

        @Override
        public Obj schema() {
            return whole.schema();
        }
    }

    private record WholeCodec(long min, long max) implements Codec<Long> {
        @Override
        public @Nullable Long read(Tree tree, Problems problems) {
            if (!(tree instanceof Tree.Whole whole)) {
                problems.wrongType(tree, "a whole number");
                return null;
            }
            if (whole.value() < min || whole.value() > max) {
                problems.badValue(tree, "must be " + range(), null);
                return null;
            }
            return whole.value();
        }

        private String range() {
            return max >= Integer.MAX_VALUE ? "at least " + min : "from " + min + " to " + max;
        }

        @Override
        public void write(JsonWriter out, Long value) {
            out.whole(value);
        }

        @Override
        public Obj schema() {
            Obj.Builder schema = new Obj.Builder().put("type", "integer").put("minimum", min);
            return max == Long.MAX_VALUE
                    ? schema.build()
                    : schema.put("maximum", max).build();
        }
    }

    private record FlagCodec() implements Codec<Boolean> {
        @Override
        public @Nullable Boolean read(Tree tree, Problems problems) {
            if (tree instanceof Tree.Flag flag) {
                return flag.value();
            }
            problems.wrongType(tree, "true or false");
            return null;
        }

        @Override
        public void write(JsonWriter out, Boolean value) {
            out.flag(value);
        }

        @Override
        public Obj schema() {
            return new Obj.Builder().put("type", "boolean").build();
        }
    }
}
