package dev.flotilla.schemas.json.codec;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The text form of instants, RFC 3339. Instants are written in UTC with exactly three decimals of a second, so that equal
 * instants have equal texts and texts sort by time. They are read with any offset and truncated to milliseconds. Written by
 * hand, because the JDK's parser throws an exception for a wrong text and would take most of the time to decode a record.
 */
public final class InstantFormat {
    public static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    private static final int SECONDS_END = 19;
    private static final int MAX_FRACTION = 9;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private InstantFormat() {}

    /** Parses an instant; null if the text is none. */
    public static @Nullable Instant parse(String text) {
        if (text.length() < SECONDS_END + 1 || !hasInstantShape(text)) {
            return null;
        }
        int year = parseDigits(text, 0, 4);
        int month = parseDigits(text, 5, 7);
        int day = parseDigits(text, 8, 10);
        int hour = parseDigits(text, 11, 13);
        int minute = parseDigits(text, 14, 16);
        int second = parseDigits(text, 17, 19);
        boolean date = year >= 1 && month >= 1 && month <= 12 && day >= 1;
        if (!date || day > YearMonth.of(year, month).lengthOfMonth() || hour < 0 || hour > 23) {
            return null;
        }
        if (minute < 0 || minute > 59 || second < 0 || second > 59) {
            return null;
        }
        int zoneAt = findFractionEnd(text);
        Integer offset = offsetSeconds(text, zoneAt);
        if (offset == null) {
            return null;
        }
        long seconds =
                LocalDate.of(year, month, day).toEpochDay() * 86_400 + hour * 3_600L + minute * 60L + second - offset;
        Instant instant = Instant.ofEpochMilli(seconds * 1_000 + parseMillis(text, zoneAt));
        return instant.isBefore(FIRST) || instant.isAfter(LAST) ? null : instant;
    }

    /** Returns the canonical text. Instants before year 1 or after year 9999 have no such text and are a bug. */
    public static String print(Instant instant) {
        if (instant.isBefore(FIRST) || instant.isAfter(LAST.plusNanos(NANOS_PER_MILLI - 1))) {
            throw new IllegalArgumentException("instant " + instant + " is not between " + FIRST + " and " + LAST);
        }
        LocalDateTime utc = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
        char[] out = new char[24];
        putDigits(out, 0, 4, utc.getYear());
        out[4] = '-';
        putDigits(out, 5, 7, utc.getMonthValue());
        out[7] = '-';
        putDigits(out, 8, 10, utc.getDayOfMonth());
        out[10] = 'T';
        putDigits(out, 11, 13, utc.getHour());
        out[13] = ':';
        putDigits(out, 14, 16, utc.getMinute());
        out[16] = ':';
        putDigits(out, 17, 19, utc.getSecond());
        out[19] = '.';
        putDigits(out, 20, 23, instant.getNano() / NANOS_PER_MILLI);
        out[23] = 'Z';
        return new String(out);
    }

    private static boolean hasInstantShape(String text) {
        return text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':';
    }

    private static int findFractionEnd(String text) {
        int end = SECONDS_END;
        if (text.charAt(end) == '.') {
            end++;
            while (end < text.length() && end <= SECONDS_END + MAX_FRACTION && isDigit(text.charAt(end))) {
                end++;
            }
        }
        return end == SECONDS_END + 1 ? text.length() : end;
    }

    private static int parseMillis(String text, int zoneAt) {
        int millis = 0;
        for (int i = SECONDS_END + 1; i <= SECONDS_END + 3; i++) {
            millis = millis * 10 + (i < zoneAt ? text.charAt(i) - '0' : 0);
        }
        return millis;
    }

    private static @Nullable Integer offsetSeconds(String text, int at) {
        if (text.length() == at + 1) {
            return text.charAt(at) == 'Z' ? 0 : null;
        }
        if (text.length() != at + 6 || text.charAt(at + 3) != ':') {
            return null;
        }
        int hours = parseDigits(text, at + 1, at + 3);
        int minutes = parseDigits(text, at + 4, at + 6);
        if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return null;
        }
        int seconds = hours * 3_600 + minutes * 60;
        return switch (text.charAt(at)) {
            case '+' -> seconds;
            case '-' -> -seconds;
            default -> null;
        };
    }

    /** Parses the digits between two indexes; -1 if they are not all digits. */
    private static int parseDigits(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            if (!isDigit(text.charAt(i))) {
                return -1;
            }
            value = value * 10 + (text.charAt(i) - '0');
        }
        return value;
    }

    private static void putDigits(char[] out, int from, int to, int value) {
        int rest = value;
        for (int i = to - 1; i >= from; i--) {
            out[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
