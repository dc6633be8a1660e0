package dev.flotilla.logging;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Formats events as JSON objects. */
final class JsonLogFormatter {
    private JsonLogFormatter() {}

    static String format(LogEvent event) {
        StringBuilder out = new StringBuilder("{");
        appendMember(out, "time", event.timeText());
        appendMember(out, "level", event.level().name().toLowerCase(Locale.ROOT));
        appendMember(out, "logger", event.logger());
        appendMember(out, "message", event.message());
        for (KeyValuePair pair : event.data()) {
            appendMember(out, pair.key, pair.value);
        }
        if (event.error() != null) {
            appendMember(out, "error", event.stackTrace());
        }
        return out.append("}\n").toString();
    }

    /** Numbers and booleans keep their types; everything else is a string. */
    private static void appendMember(StringBuilder out, String key, @Nullable Object value) {
        out.append(out.length() == 1 ? "\"" : ",\"");
        EscapedText.append(out, key);
        out.append("\":");
        if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
            out.append(value);
            return;
        }
        out.append('"');
        EscapedText.append(out, value.toString());
        out.append('"');
    }
}
