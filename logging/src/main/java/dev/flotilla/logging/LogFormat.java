package dev.flotilla.logging;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a log event is written. */
public enum LogFormat {
    /** For people: time, level, logger, message, and the data as {@code key=value}. */
    TEXT {
        @Override
        String format(LogEvent event) {
            return TextLogFormatter.format(event);
        }
    },
    /** For log collectors: one JSON object with the data as members. */
    JSON {
        @Override
        String format(LogEvent event) {
            return JsonLogFormatter.format(event);
        }
    };

    /** Returns why a text is not valid; null if it is. */
    public static @Nullable String problemOf(String text) {
        return text.equals(TEXT.label()) || text.equals(JSON.label()) ? null : "must be text or json";
    }

    /** Parses a text that has no problem. */
    public static LogFormat parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the line of an event, with its line feed. */
    abstract String format(LogEvent event);
}
