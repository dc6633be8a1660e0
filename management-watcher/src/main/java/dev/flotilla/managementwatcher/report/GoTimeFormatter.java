package dev.flotilla.managementwatcher.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as Go's {@code time.RFC1123Z} writes them: Java's own form of that name has no numeric zone and no leading zero. */
final class GoTimeFormatter {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private GoTimeFormatter() {}

    static String format(Instant at) {
        return FORM.format(at);
    }
}
