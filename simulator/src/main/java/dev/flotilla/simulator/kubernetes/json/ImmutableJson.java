package dev.flotilla.simulator.kubernetes.json;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Immutable JSON trees: an object of the store can be kept, and a write shares what it does not change. */
public final class ImmutableJson {
    /** The size limit of a real API server. */
    public static final int MAX_BYTES = 3 * 1024 * 1024;

    public static final JsonObjectReader EMPTY = new JsonObjectReader.Builder().build();

    private ImmutableJson() {}

    /** An object from alternating names and values; null values are left out. */
    public static JsonObjectReader object(@Nullable Object... namesAndValues) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            if (value != null) {
                builder.put(String.valueOf(namesAndValues[i]), tree(value));
            }
        }
        return builder.build();
    }

    public static JsonValue.JsonArray list(Object... items) {
        return list(List.of(items));
    }

    public static JsonValue.JsonArray list(List<?> items) {
        List<JsonValue> trees = new ArrayList<>();
        for (Object item : items) {
            trees.add(tree(item));
        }
        return new JsonValue.JsonArray(trees, JsonValue.NO_LINE);
    }

    private static JsonValue tree(Object value) {
        return switch (value) {
            case JsonValue jsonValue -> jsonValue;
            case Boolean flag -> new JsonValue.JsonBoolean(flag, JsonValue.NO_LINE);
            case Integer whole -> new JsonValue.JsonInteger(whole, JsonValue.NO_LINE);
            case Long whole -> new JsonValue.JsonInteger(whole, JsonValue.NO_LINE);
            case List<?> items -> list(items);
            default -> new JsonValue.JsonString(value.toString(), JsonValue.NO_LINE);
        };
    }

    /** Parses a document; null if it is not JSON. */
    public static @Nullable JsonValue read(byte[] bytes) {
        return JsonReader.read(bytes, MAX_BYTES) instanceof ParseResult.ParsedDocument parsedDocument
                ? parsedDocument.value()
                : null;
    }

    public static byte[] bytes(JsonValue jsonValue) {
        JsonWriter writer = new JsonWriter();
        writer.jsonValue(jsonValue);
        return writer.toBytes();
    }

    public static @Nullable JsonValue valueAt(@Nullable JsonValue in, String... path) {
        JsonValue found = in;
        for (String name : path) {
            found = found instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get(name) : null;
        }
        return found;
    }

    /** The text at a path; empty if there is none. */
    public static String textAt(@Nullable JsonValue in, String... path) {
        return valueAt(in, path) instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
    }

    /** The whole number at a path; 0 if there is none. */
    public static long wholeNumberAt(@Nullable JsonValue in, String... path) {
        return valueAt(in, path) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : 0;
    }

    /** The object at a path; an empty one if there is none. */
    public static JsonObjectReader inner(@Nullable JsonValue in, String... path) {
        return valueAt(in, path) instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader : EMPTY;
    }

    /** The list at a path; an empty one if there is none. */
    public static List<JsonValue> items(@Nullable JsonValue in, String... path) {
        return valueAt(in, path) instanceof JsonValue.JsonArray jsonArray ? jsonArray.items() : List.of();
    }

    /** The same object with another value at a path. */
    public static JsonObjectReader with(JsonObjectReader in, Object value, String... path) {
        return with(in, tree(value), path, 0);
    }

    private static JsonObjectReader with(JsonObjectReader in, JsonValue value, String[] path, int depth) {
        String name = path[depth];
        JsonValue next = depth == path.length - 1 ? value : with(inner(in, name), value, path, depth + 1);
        return in.toBuilder().put(name, next).build();
    }

    /** The same object without the value at a path. */
    public static JsonObjectReader without(JsonObjectReader in, String... path) {
        return valueAt(in, path) == null ? in : without(in, path, 0);
    }

    private static JsonObjectReader without(JsonObjectReader in, String[] path, int depth) {
        JsonObjectReader.Builder builder = new JsonObjectReader.Builder();
        for (int i = 0; i < in.size(); i++) {
            if (!in.name(i).equals(path[depth])) {
                builder.put(in.name(i), in.value(i));
            } else if (depth < path.length - 1) {
                builder.put(in.name(i), without(inner(in, in.name(i)), path, depth + 1));
            }
        }
        return builder.build();
    }

    /** Whether two trees are equal, regardless of the order of fields. */
    public static boolean same(@Nullable JsonValue one, @Nullable JsonValue other) {
        if (one instanceof JsonObjectReader a && other instanceof JsonObjectReader b) {
            boolean same = a.size() == b.size();
            for (int i = 0; same && i < a.size(); i++) {
                same = same(a.value(i), b.get(a.name(i)));
            }
            return same;
        }
        if (one instanceof JsonValue.JsonArray a && other instanceof JsonValue.JsonArray b) {
            boolean same = a.items().size() == b.items().size();
            for (int i = 0; same && i < a.items().size(); i++) {
                same = same(a.items().get(i), b.items().get(i));
            }
            return same;
        }
        return one == null ? other == null : one.equals(other);
    }
}
