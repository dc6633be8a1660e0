package dev.flotilla.schemas.json.tree;

import java.util.List;

/**
 * A parsed JSON or YAML value. Not a library's type, because it records the line of each value, accepts every value, and is the
 * same for JSON and YAML.
 */
public sealed interface JsonValue
        permits JsonValue.JsonArray,
                JsonValue.JsonString,
                JsonValue.JsonInteger,
                JsonValue.JsonDecimal,
                JsonValue.JsonBoolean,
                JsonValue.JsonNull,
                JsonObjectReader {
    /** The line of a value that is not from a file. */
    int NO_LINE = 0;

    /** Returns the line on which the value begins, from 1, or {@link #NO_LINE}. */
    int line();

    /** An array. */
    record JsonArray(List<JsonValue> items, int line) implements JsonValue {
        public JsonArray {
            items = List.copyOf(items);
        }
    }

    /** A string. */
    record JsonString(String value, int line) implements JsonValue {}

    /** A whole number. */
    record JsonInteger(long value, int line) implements JsonValue {}

    /** A number that is not whole or too large. No field accepts one; it is kept for messages. */
    record JsonDecimal(String text, int line) implements JsonValue {}

    /** A boolean. */
    record JsonBoolean(boolean value, int line) implements JsonValue {}

    /** A null. */
    record JsonNull(int line) implements JsonValue {}
}
