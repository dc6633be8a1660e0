package dev.flotilla.auditor.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON value. Values are equal regardless of the order of an object's members. */
public sealed interface JsonValue {
    /** An object without its {@code null} members, which are equal to absent ones. */
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {
        public static final JsonObject EMPTY = new JsonObject(Map.of());

        public @Nullable JsonValue get(String name) {
            return members.get(name);
        }
    }

    /** An array. */
    record JsonArray(List<JsonValue> items) implements JsonValue {}

    /** A text. */
    record JsonString(String value) implements JsonValue {}

    /** A number, as its digits. */
    record JsonNumber(String digits) implements JsonValue {}

    /** True or false. */
    record JsonBoolean(boolean value) implements JsonValue {}

    /** Null. */
    record JsonNull() implements JsonValue {}
}
