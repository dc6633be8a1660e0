package dev.flotilla.logging;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Formats events for people. */
final class TextLogFormatter {
    private TextLogFormatter() {}

    static String format(LogEvent event) {
        StringBuilder out = new StringBuilder(event.timeText())
                .append(' ')
                .append(event.level())
                .append(' ')
                .append(event.logger().substring(event.logger().lastIndexOf('.') + 1))
                .append(' ');
        event.message().chars().forEach(c -> EscapedText.appendUnquoted(out, (char) c));
        for (KeyValuePair pair : event.data()) {
            out.append(' ').append(pair.key).append('=');
            appendValue(out, pair.value);
        }
        out.append('\n');
        String stackTrace = event.stackTrace();
        return stackTrace == null ? out.toString() : out.append(stackTrace).toString();
    }

    /** Appends a value, with quotes if a reader could not see where it ends. */
    private static void appendValue(StringBuilder out, @Nullable Object value) {
        String text = String.valueOf(value);
        if (!text.isEmpty() && text.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=' || c >= 0x7f)) {
            out.append(text);
            return;
        }
        out.append('"');
        EscapedText.append(out, text);
        out.append('"');
    }
}
