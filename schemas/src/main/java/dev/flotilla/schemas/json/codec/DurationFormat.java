package dev.flotilla.schemas.json.codec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The text form of durations, a number and a unit such as {@code 90s}, {@code 15m} or {@code 2h}, as in Kubernetes. */
public final class DurationFormat {
    static final String PATTERN = "^[0-9]{1,12}(ms|s|m|h|d)$";

    private static final int MAX_DIGITS = 12;
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private DurationFormat() {}

    static @Nullable String problemOf(String text, Duration min, Duration max) {
        Duration duration = parse(text);
        if (duration == null) {
            return "must be a number and ms, s, m, h or d, such as 90s, 15m or 2h";
        }
        return duration.compareTo(min) < 0 || duration.compareTo(max) > 0
                ? "must be from " + print(min) + " to " + print(max)
                : null;
    }

    /** Parses a duration; null if the text is none. */
    public static @Nullable Duration parse(String text) {
        int digits = 0;
        long number = 0;
        while (digits < text.length() && digits < MAX_DIGITS && isDigit(text.charAt(digits))) {
            number = number * 10 + (text.charAt(digits) - '0');
            digits++;
        }
        long unit = switch (text.substring(digits)) {
            case "ms" -> 1;
            case "s" -> SECOND;
            case "m" -> MINUTE;
            case "h" -> HOUR;
            case "d" -> DAY;
            default -> 0;
        };
        return digits == 0 || unit == 0 || number > Long.MAX_VALUE / unit ? null : Duration.ofMillis(number * unit);
    }

    /** Returns the canonical text: in the largest unit that expresses the duration exactly. */
    public static String print(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0 || millis % SECOND != 0) {
            return millis == 0 ? "0s" : millis + "ms";
        }
        if (millis % DAY == 0) {
            return millis / DAY + "d";
        }
        if (millis % HOUR == 0) {
            return millis / HOUR + "h";
        }
        return millis % MINUTE == 0 ? millis / MINUTE + "m" : millis / SECOND + "s";
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
