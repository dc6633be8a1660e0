package dev.flotilla.logging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;

/** One log event, before it is formatted. */
record LogEvent(
        Instant time,
        Level level,
        String logger,
        String message,
        List<KeyValuePair> data,
        @Nullable Throwable error) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** The time in UTC with milliseconds, as in rows and in the API. */
    String timeText() {
        return TIME.format(time);
    }

    /** The stack trace with all causes; null without an error. */
    @Nullable
    String stackTrace() {
        if (error == null) {
            return null;
        }
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
