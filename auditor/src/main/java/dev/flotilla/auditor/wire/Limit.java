package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.MalformedJson;
import org.jspecify.annotations.Nullable;

/** How many machines: a number, or a share that is rounded down; at least 1 either way. */
public record Limit(int value, boolean percent) {
    private static final int HUNDRED = 100;
    static final Limit ONE = new Limit(1, false);

    static @Nullable Limit read(Fields row, String name) {
        return switch (row.object().get(name)) {
            case null -> null;
            case Json.Num number -> new Limit((int) row.number(name), false);
            case Json.Text text -> parse(text.value());
            case Json other -> throw new MalformedJson("has no limit in \"" + name + "\"");
        };
    }

    static Limit readOr(Fields row, String name, Limit otherwise) {
        Limit read = read(row, name);
        return read == null ? otherwise : read;
    }

    private static Limit parse(String text) {
        boolean percent = text.endsWith("%");
        try {
            return new Limit(Integer.parseInt(percent ? text.substring(0, text.length() - 1) : text), percent);
        } catch (NumberFormatException e) {
            throw new MalformedJson("has \"" + text + "\" where a limit should be");
        }
    }

    public int of(long machines) {
        return (int) Math.max(1, percent ? machines * value / HUNDRED : value);
    }

    @Override
    public String toString() {
        return value + (percent ? "%" : "");
    }
}
