package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Window;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When machines may be started. */
final class WindowCodec {
    private static final int MAX_WINDOWS = 32;
    private static final int DAYS = 7;
    private static final int SHORT_NAME = 3;
    private static final int TIME = 5;
    private static final int DATE = 10;
    private static final int HOUR = 60;

    static final Codec<ZoneName> ZONE =
            Scalars.parsed("a time zone such as Europe/Berlin", 64, text -> null, ZoneName::new, ZoneName::id);
    static final Codec<List<Window>> WINDOWS = new Lists<>(window(), MAX_WINDOWS);

    private WindowCodec() {}

    private static Codec<Window> window() {
        var window = RecordCodec.<Window>of(
                "window",
                "A weekly or a dated window, by the clocks on site. One that closes at or before the time at which it opens"
                        + " closes on the next day. On the night when clocks go back it is counted once.");
        var days = window.<List<DayOfWeek>>usual(
                "days",
                new Lists<>(Choice.of(DayOfWeek.class, WindowCodec::name), DAYS),
                List.of(),
                "The days of the week on which it opens; none is every day.",
                Window::days);
        var date = window.optional(
                "date",
                Scalars.parsed(
                        "a date such as 2026-01-31", DATE, WindowCodec::noDate, LocalDate::parse, LocalDate::toString),
                "The one date on which it opens, as 2026-01-31.",
                Window::date);
        var from = window.required("from", time(), "When it opens, local time, as 22:00.", Window::from);
        var to = window.required("to", time(), "When it closes, local time, as 05:00.", Window::to);
        var zone = window.optional(
                "zone",
                ZONE,
                "The time zone; without it the cluster's own, else its site's. An unknown zone closes.",
                Window::zone);
        return window.build((v, at, problems) -> {
            if (v.get(date) != null && !v.get(days).isEmpty()) {
                problems.add(RejectionReason.CONTRADICTION, at, "has days and a date", "leave one of the two out");
                return null;
            }
            return new Window(v.get(days), v.get(date), v.get(from), v.get(to), v.get(zone));
        });
    }

    private static String name(DayOfWeek day) {
        return day.name().toLowerCase(Locale.ROOT).substring(0, SHORT_NAME);
    }

    private static Codec<Integer> time() {
        return Scalars.parsed(
                "a time such as 22:00", TIME, WindowCodec::noTime, WindowCodec::minute, WindowCodec::text);
    }

    private static @Nullable String noTime(String text) {
        boolean good = text.length() == TIME
                && text.charAt(2) == ':'
                && isNumber(text.charAt(0), text.charAt(1), 24)
                && isNumber(text.charAt(3), text.charAt(4), HOUR);
        return good ? null : "must be a time from 00:00 to 23:59";
    }

    private static boolean isNumber(char tens, char ones, int below) {
        return tens >= '0' && tens <= '9' && ones >= '0' && ones <= '9' && (tens - '0') * 10 + ones - '0' < below;
    }

    private static int minute(String text) {
        return Integer.parseInt(text.substring(0, 2)) * HOUR + Integer.parseInt(text.substring(3));
    }

    private static String text(int minute) {
        return String.format(Locale.ROOT, "%02d:%02d", minute / HOUR, minute % HOUR);
    }

    private static @Nullable String noDate(String text) {
        try {
            return text.length() == DATE && LocalDate.parse(text).getYear() > 0 ? null : "must be a date as 2026-01-31";
        } catch (DateTimeException e) {
            return "must be a date as 2026-01-31";
        }
    }
}
