package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** JSON codecs for single values. */
public final class ScalarCodecs {
    /** The maximum length of names, uids and versions from other systems. */
    public static final int MAX_TOKEN = 512;

    private static final String AN_INSTANT = "an instant such as 2026-01-02T03:04:05.678Z";

    public static final JsonCodec<Boolean> FLAG = new FlagCodec();
    public static final JsonCodec<Long> SEQ = new WholeCodec(0, Long.MAX_VALUE);
    public static final JsonCodec<Integer> COUNT = integer(0, Integer.MAX_VALUE);
    public static final JsonCodec<String> TOKEN = text(1, MAX_TOKEN);
    public static final JsonCodec<Instant> INSTANT = new TextCodec<>(
            AN_INSTANT,
            InstantFormat::parse,
            wrong -> "must be " + AN_INSTANT,
            wrong -> null,
            InstantFormat::print,
            new JsonObjectReader.Builder().put("format", "date-time").build());

    private ScalarCodecs() {}

    /** A text with a minimum and a maximum length. */
    public static JsonCodec<String> text(int min, int max) {
        return new TextCodec<>(
                "a text",
                text -> TextValidator.problemOf(text, min, max) == null ? text : null,
                wrong -> String.valueOf(TextValidator.problemOf(wrong, min, max)),
                wrong -> null,
                text -> text,
                new JsonObjectReader.Builder()
                        .put("minLength", min)
                        .put("maxLength", max)
                        .build());
    }

    /** A text that a function validates. */
    public static <T> JsonCodec<T> parsed(
            String what,
            int max,
            Function<String, @Nullable String> problemOf,
            Function<String, T> parse,
            Function<T, String> print) {
        return parsedWithHint(what, max, problemOf, wrong -> null, parse, print);
    }

    /** A text that a function validates, with a hint for a wrong one. */
    public static <T> JsonCodec<T> parsedWithHint(
            String what,
            int max,
            Function<String, @Nullable String> problemOf,
            Function<String, @Nullable String> hintOf,
            Function<String, T> parse,
            Function<T, String> print) {
        Function<String, @Nullable String> whole = text -> {
            String problem = TextValidator.problemOf(text, 1, max);
            return problem != null ? problem : problemOf.apply(text);
        };
        return new TextCodec<>(
                what,
                text -> whole.apply(text) == null ? parse.apply(text) : null,
                wrong -> String.valueOf(whole.apply(wrong)),
                hintOf,
                print,
                new JsonObjectReader.Builder()
                        .put("minLength", 1)
                        .put("maxLength", max)
                        .build());
    }

    /** A constant text, such as an API version. */
    public static JsonCodec<String> exactly(String only) {
        return new TextCodec<>(
                "\"" + only + "\"",
                text -> text.equals(only) ? text : null,
                wrong -> "must be \"" + only + "\"",
                wrong -> null,
                text -> text,
                new JsonObjectReader.Builder().put("const", only).build());
    }

    /** One of several texts that have no enum. */
    public static JsonCodec<String> oneOf(List<String> words) {
        return new TextCodec<>(
                "one of the texts " + String.join(", ", words),
                text -> words.contains(text) ? text : null,
                wrong -> "must be one of " + String.join(", ", words),
                wrong -> null,
                text -> text,
                new JsonObjectReader.Builder().put("enum", words).build());
    }

    /** A duration such as {@code 90s}, with a minimum and a maximum. */
    public static JsonCodec<Duration> duration(Duration min, Duration max) {
        return new TextCodec<>(
                "a duration such as 90s, 15m or 2h",
                text -> DurationFormat.problemOf(text, min, max) == null ? DurationFormat.parse(text) : null,
                wrong -> String.valueOf(DurationFormat.problemOf(wrong, min, max)),
                wrong -> null,
                DurationFormat::print,
                new JsonObjectReader.Builder()
                        .put("pattern", DurationFormat.PATTERN)
                        .build());
    }

    public static JsonCodec<Integer> integer(int min, int max) {
        return new IntegerCodec(new WholeCodec(min, max));
    }

    private record IntegerCodec(WholeCodec whole) implements JsonCodec<Integer> {
        @Override
        public @Nullable Integer read(JsonValue jsonValue, ProblemCollector problems) {
            Long value = whole.read(jsonValue, problems);
            return value == null ? null : Math.toIntExact(value);
        }

        @Override
        public void write(JsonWriter out, Integer value) {
            out.integer(value);
        }

        @Override
        public JsonObjectReader schema() {
            return whole.schema();
        }
    }

    private record WholeCodec(long min, long max) implements JsonCodec<Long> {
        @Override
        public @Nullable Long read(JsonValue jsonValue, ProblemCollector problems) {
            if (!(jsonValue instanceof JsonValue.JsonInteger jsonInteger)) {
                problems.addWrongType(jsonValue, "a whole number");
                return null;
            }
            long value = jsonInteger.value();
            if (value < min || value > max) {
                problems.addBadValue(jsonValue, "must be " + range(value), null);
                return null;
            }
            return value;
        }

        /** The range in words; of a large range only the end that a value is beyond. */
        private String range(long value) {
            return max < Integer.MAX_VALUE
                    ? "from " + min + " to " + max
                    : value < min ? "at least " + min : "at most " + max;
        }

        @Override
        public void write(JsonWriter out, Long value) {
            out.integer(value);
        }

        @Override
        public JsonObjectReader schema() {
            JsonObjectReader.Builder schema =
                    new JsonObjectReader.Builder().put("type", "integer").put("minimum", min);
            return max == Long.MAX_VALUE
                    ? schema.build()
                    : schema.put("maximum", max).build();
        }
    }

    private record FlagCodec() implements JsonCodec<Boolean> {
        @Override
        public @Nullable Boolean read(JsonValue jsonValue, ProblemCollector problems) {
            if (jsonValue instanceof JsonValue.JsonBoolean jsonBoolean) {
                return jsonBoolean.value();
            }
            problems.addWrongType(jsonValue, "true or false");
            return null;
        }

        @Override
        public void write(JsonWriter out, Boolean value) {
            out.bool(value);
        }

        @Override
        public JsonObjectReader schema() {
            return new JsonObjectReader.Builder().put("type", "boolean").build();
        }
    }
}
