package dev.flotilla.managementwatcher.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times as Go's {@code time.RFC1123Z}. Java's format of that name has no numeric offset and no leading zero.
 */
final class GoTimeFormatter {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private GoTimeFormatter() {}

    static String format(Instant at) {
        return FORMAT.format(at);
    }
}
