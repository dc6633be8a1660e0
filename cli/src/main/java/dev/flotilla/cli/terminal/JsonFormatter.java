package dev.flotilla.cli.terminal;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats JSON so that people can read it: a value that fits on one line stays on it, others are indented. */
public final class JsonFormatter {
    private static final int LINE = 100;
    private static final int STEP = 2;

    private JsonFormatter() {}

    /** A number with at most three decimal places, as for seconds. */
    public static JsonValue number(double value) {
        String written = String.format(Locale.ROOT, "%.3f", value);
        String short0 = written.replaceFirst("\\.?0+$", "");
        return new JsonValue.JsonDecimal(
                short0.isEmpty() || short0.equals("-") || short0.equals("-0") ? "0" : short0, JsonValue.NO_LINE);
    }

    public static JsonValue text(@Nullable String value) {
        return value == null
                ? new JsonValue.JsonNull(JsonValue.NO_LINE)
                : new JsonValue.JsonString(value, JsonValue.NO_LINE);
    }

    public static JsonValue list(List<? extends JsonValue> items) {
        return new JsonValue.JsonArray(new ArrayList<>(items), JsonValue.NO_LINE);
    }

    public static JsonValue texts(List<String> values) {
        return list(values.stream().map(JsonFormatter::text).toList());
    }

    public static String format(JsonValue jsonValue) {
        StringBuilder out = new StringBuilder();
        write(jsonValue, 0, out);
        return out.append('\n').toString();
    }

    private static void write(JsonValue jsonValue, int indent, StringBuilder out) {
        String line = line(jsonValue);
        if (line.length() + indent <= LINE || !isNested(jsonValue)) {
            out.append(line);
            return;
        }
        String inner = "\n" + " ".repeat(indent + STEP);
        boolean first = true;
        switch (jsonValue) {
            case JsonObjectReader jsonObjectReader -> {
                out.append('{');
                for (int i = 0; i < jsonObjectReader.size(); i++) {
                    out.append(first ? "" : ",").append(inner);
                    out.append(line(new JsonValue.JsonString(jsonObjectReader.name(i), JsonValue.NO_LINE)))
                            .append(": ");
                    write(jsonObjectReader.value(i), indent + STEP, out);
                    first = false;
                }
                out.append('\n').append(" ".repeat(indent)).append('}');
            }
            case JsonValue.JsonArray jsonArray -> {
                out.append('[');
                for (JsonValue item : jsonArray.items()) {
                    out.append(first ? "" : ",").append(inner);
                    write(item, indent + STEP, out);
                    first = false;
                }
                out.append('\n').append(" ".repeat(indent)).append(']');
            }
            default -> out.append(line);
        }
    }

    private static boolean isNested(JsonValue jsonValue) {
        return (jsonValue instanceof JsonObjectReader jsonObjectReader && jsonObjectReader.size() > 0)
                || (jsonValue instanceof JsonValue.JsonArray jsonArray
                        && !jsonArray.items().isEmpty());
    }

    /** Formats JSON on one line, without its end. */
    public static String line(JsonValue jsonValue) {
        JsonWriter writer = new JsonWriter();
        writer.jsonValue(jsonValue);
        return new String(writer.toBytes(), StandardCharsets.UTF_8);
    }
}
