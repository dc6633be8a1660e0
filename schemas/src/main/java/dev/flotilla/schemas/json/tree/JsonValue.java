package dev.flotilla.schemas.json.tree;

import java.util.List;

/**
 * A parsed value. A tree of our own rather than a library's: it keeps the line of each value, refuses nothing by itself,
 * and JSON and YAML look alike in it.
 */
public sealed interface JsonValue
        permits JsonValue.JsonArray,
                JsonValue.JsonString,
                JsonValue.JsonInteger,
                JsonValue.JsonDecimal,
                JsonValue.JsonBoolean,
                JsonValue.JsonNull,
                JsonObjectReader {
    /** The line of a value that comes from no file. */
    int NO_LINE = 0;

    /** The line on which the value begins, from 1, or {@link #NO_LINE}. */
    int line();

    /** A list. */
    record JsonArray(List<JsonValue> items, int line) implements JsonValue {
        public JsonArray {
            items = List.copyOf(items);
        }
    }

    /** A text. */
    record JsonString(String value, int line) implements JsonValue {}

    /** A whole number. */
    record JsonInteger(long value, int line) implements JsonValue {}

    /** A number that is not whole, or too large: no field takes one, so it is kept only to be shown. */
    record JsonDecimal(String text, int line) implements JsonValue {}

    /** A truth value. */
    record JsonBoolean(boolean value, int line) implements JsonValue {}

    /** A null. */
    record JsonNull(int line) implements JsonValue {}
}
