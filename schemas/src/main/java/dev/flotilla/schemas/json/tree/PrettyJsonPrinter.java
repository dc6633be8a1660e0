package dev.flotilla.schemas.json.tree;

import java.nio.charset.StandardCharsets;

/** Prints a value as JSON for people: indented, one member a line, with a newline at the end. */
public final class PrettyJsonPrinter {
    private static final int INDENT = 2;

    private final StringBuilder out = new StringBuilder();

    private PrettyJsonPrinter() {}

    public static String print(JsonValue jsonValue) {
        PrettyJsonPrinter json = new PrettyJsonPrinter();
        json.append(jsonValue, 0);
        return json.out.append('\n').toString();
    }

    private void append(JsonValue jsonValue, int depth) {
        switch (jsonValue) {
            case JsonObjectReader jsonObjectReader -> object(jsonObjectReader, depth);
            case JsonValue.JsonArray jsonArray -> array(jsonArray, depth);
            case JsonValue.JsonString jsonString -> leaf(jsonString);
            case JsonValue.JsonInteger jsonInteger -> leaf(jsonInteger);
            case JsonValue.JsonDecimal jsonDecimal -> leaf(jsonDecimal);
            case JsonValue.JsonBoolean jsonBoolean -> leaf(jsonBoolean);
            case JsonValue.JsonNull jsonNull -> leaf(jsonNull);
        }
    }

    private void object(JsonObjectReader jsonObjectReader, int depth) {
        if (jsonObjectReader.size() == 0) {
            out.append("{}");
            return;
        }
        out.append('{');
        for (int i = 0; i < jsonObjectReader.size(); i++) {
            line(i, depth + 1);
            leaf(new JsonValue.JsonString(jsonObjectReader.name(i), JsonValue.NO_LINE));
            out.append(": ");
            append(jsonObjectReader.value(i), depth + 1);
        }
        line(0, depth);
        out.append('}');
    }

    private void array(JsonValue.JsonArray jsonArray, int depth) {
        boolean nested = jsonArray.items().stream()
                .anyMatch(item -> item instanceof JsonObjectReader || item instanceof JsonValue.JsonArray);
        out.append('[');
        for (int i = 0; i < jsonArray.items().size(); i++) {
            if (nested) {
                line(i, depth + 1);
            } else {
                out.append(i == 0 ? "" : ", ");
            }
            append(jsonArray.items().get(i), depth + 1);
        }
        if (nested) {
            line(0, depth);
        }
        out.append(']');
    }

    private void line(int index, int depth) {
        out.append(index == 0 ? "" : ",").append('\n').append(" ".repeat(INDENT * depth));
    }

    private void leaf(JsonValue jsonValue) {
        JsonWriter writer = new JsonWriter();
        writer.jsonValue(jsonValue);
        out.append(new String(writer.toBytes(), StandardCharsets.UTF_8));
    }
}
