package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/** A number of machines, or a percentage that is rounded down; at least 1 either way. */
public record CountOrPercent(int value, boolean percent) {
    private static final int HUNDRED = 100;
    static final CountOrPercent ONE = new CountOrPercent(1, false);

    static @Nullable CountOrPercent read(JsonFieldReader row, String name) {
        return switch (row.object().get(name)) {
            case null -> null;
            case JsonValue.JsonNumber number -> new CountOrPercent((int) row.number(name), false);
            case JsonValue.JsonString jsonString -> parse(jsonString.value());
            case JsonValue other -> throw new MalformedJsonException("has no limit in \"" + name + "\"");
        };
    }

    static CountOrPercent readOr(JsonFieldReader row, String name, CountOrPercent otherwise) {
        CountOrPercent read = read(row, name);
        return read == null ? otherwise : read;
    }

    private static CountOrPercent parse(String text) {
        boolean percent = text.endsWith("%");
        try {
            return new CountOrPercent(Integer.parseInt(percent ? text.substring(0, text.length() - 1) : text), percent);
        } catch (NumberFormatException e) {
            throw new MalformedJsonException("has \"" + text + "\" where a limit should be");
        }
    }

    public int resolve(long machines) {
        return (int) Math.max(1, percent ? machines * value / HUNDRED : value);
    }

    @Override
    public String toString() {
        return value + (percent ? "%" : "");
    }
}
