package dev.flotilla.auditor.json;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the members of a JSON object by name and type. A missing required member makes the row malformed. */
public record JsonFieldReader(JsonValue.JsonObject object) {
    private static final long SECOND = 1000;

    public static JsonFieldReader of(JsonValue jsonValue) {
        if (jsonValue instanceof JsonValue.JsonObject object) {
            return new JsonFieldReader(object);
        }
        throw new MalformedJsonException("is not an object");
    }

    public boolean has(String name) {
        return object.get(name) != null;
    }

    /** The names of all members. */
    public Set<String> names() {
        return object.members().keySet();
    }

    /** A member that is an object; empty where it is absent. */
    public JsonFieldReader child(String name) {
        JsonValue value = object.get(name);
        return value == null ? new JsonFieldReader(JsonValue.JsonObject.EMPTY) : of(value);
    }

    public String text(String name) {
        String value = textOr(name, null);
        if (value == null) {
            throw new MalformedJsonException("lacks \"" + name + "\"");
        }
        return value;
    }

    /** The text, or a default if there is none. */
    public String text(String name, String otherwise) {
        String value = textOr(name, null);
        return value == null ? otherwise : value;
    }

    public @Nullable String textOr(String name, @Nullable String otherwise) {
        return switch (object.get(name)) {
            case null -> otherwise;
            case JsonValue.JsonString jsonString -> jsonString.value();
            case JsonValue other -> throw new MalformedJsonException("has no text in \"" + name + "\"");
        };
    }

    public long number(String name) {
        if (!has(name)) {
            throw new MalformedJsonException("lacks \"" + name + "\"");
        }
        return numberOr(name, 0);
    }

    public @Nullable Long numberOrNull(String name) {
        return has(name) ? (Long) number(name) : null;
    }

    public long numberOr(String name, long otherwise) {
        JsonValue value = object.get(name);
        try {
            return value == null ? otherwise : Long.parseLong(((JsonValue.JsonNumber) value).digits());
        } catch (ClassCastException | NumberFormatException e) {
            throw new MalformedJsonException("has no whole number in \"" + name + "\"");
        }
    }

    public boolean bool(String name) {
        return boolOr(name, false);
    }

    public boolean boolOr(String name, boolean otherwise) {
        return switch (object.get(name)) {
            case null -> otherwise;
            case JsonValue.JsonBoolean jsonBoolean -> jsonBoolean.value();
            case JsonValue other -> throw new MalformedJsonException("has neither true nor false in \"" + name + "\"");
        };
    }

    /** An instant in milliseconds. */
    public long instant(String name) {
        return millis(text(name));
    }

    public @Nullable Long instantOrNull(String name) {
        String text = textOr(name, null);
        return text == null ? null : millis(text);
    }

    private static long millis(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
        } catch (DateTimeException e) {
            throw new MalformedJsonException("has \"" + text + "\", which is not an instant");
        }
    }

    /** A duration such as {@code 90s}, {@code 15m}, {@code 2h} or {@code 7d}, in milliseconds. */
    public @Nullable Long durationOrNull(String name) {
        String text = textOr(name, null);
        if (text == null) {
            return null;
        }
        long millis = 0;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            long unit = switch (text.charAt(i)) {
                case 's' -> SECOND;
                case 'm' -> 60 * SECOND;
                case 'h' -> 3600 * SECOND;
                case 'd' -> 86_400 * SECOND;
                default -> 0;
            };
            if (unit > 0) {
                millis += unit * whole(text.substring(begin, i), name);
                begin = i + 1;
            }
        }
        if (begin == 0 || begin < text.length()) {
            throw new MalformedJsonException("has \"" + text + "\", which is not a duration");
        }
        return millis;
    }

    private static long whole(String digits, String name) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new MalformedJsonException("has no whole number in \"" + name + "\"");
        }
    }

    public List<JsonValue> items(String name) {
        return switch (object.get(name)) {
            case null -> List.of();
            case JsonValue.JsonArray array -> array.items();
            case JsonValue other -> throw new MalformedJsonException("has no list in \"" + name + "\"");
        };
    }

    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (JsonValue item : items(name)) {
            if (!(item instanceof JsonValue.JsonString jsonString)) {
                throw new MalformedJsonException("has values other than texts in \"" + name + "\"");
            }
            texts.add(jsonString.value());
        }
        return texts;
    }
}
