package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RejectionReason;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** JSON codec for maintenance windows. */
final class MaintenanceWindowCodec {
    private static final int MAX_WINDOWS = 32;
    private static final int DAYS = 7;
    private static final int SHORT_NAME = 3;
    private static final int TIME = 5;
    private static final int DATE = 10;
    private static final int HOUR = 60;

    static final JsonCodec<TimeZoneName> ZONE = ScalarCodecs.parsed(
            "a time zone such as Europe/Berlin", 64, text -> null, TimeZoneName::new, TimeZoneName::id);
    static final JsonCodec<List<MaintenanceWindow>> WINDOWS = new ListCodec<>(window(), MAX_WINDOWS);

    private MaintenanceWindowCodec() {}

    private static JsonCodec<MaintenanceWindow> window() {
        var window = JsonObjectCodec.<MaintenanceWindow>of(
                "window",
                "A weekly or dated maintenance window in local time. If it closes at or before the time at which it opens,"
                        + " it closes on the next day. On the night when clocks go back it opens only once.");
        var days = window.<List<DayOfWeek>>omittedIfDefault(
                "days",
                new ListCodec<>(EnumCodec.of(DayOfWeek.class, MaintenanceWindowCodec::name), DAYS),
                List.of(),
                "The days of the week on which it opens. Default: every day.",
                MaintenanceWindow::days);
        var date = window.optional(
                "date",
                ScalarCodecs.parsed(
                        "a date such as 2026-01-31",
                        DATE,
                        MaintenanceWindowCodec::noDate,
                        LocalDate::parse,
                        LocalDate::toString),
                "The date on which it opens, such as 2026-01-31.",
                MaintenanceWindow::date);
        var from = window.required(
                "from", time(), "The local time at which it opens, such as 22:00.", MaintenanceWindow::fromMinute);
        var to = window.required(
                "to", time(), "The local time at which it closes, such as 05:00.", MaintenanceWindow::toMinute);
        var zone = window.optional(
                "zone",
                ZONE,
                "The time zone. Default: the cluster's own, else its site's. While the time zone is unknown, the window is closed.",
                MaintenanceWindow::timeZone);
        return window.build((v, at, problems) -> {
            if (v.get(date) != null && !v.get(days).isEmpty()) {
                problems.add(RejectionReason.CONTRADICTION, at, "has both days and a date", "leave one of them out");
                return null;
            }
            return new MaintenanceWindow(v.get(days), v.get(date), v.get(from), v.get(to), v.get(zone));
        });
    }

    private static String name(DayOfWeek day) {
        return day.name().toLowerCase(Locale.ROOT).substring(0, SHORT_NAME);
    }

    private static JsonCodec<Integer> time() {
        return ScalarCodecs.parsed(
                "a time such as 22:00",
                TIME,
                MaintenanceWindowCodec::noTime,
                MaintenanceWindowCodec::minute,
                MaintenanceWindowCodec::text);
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
            return text.length() == DATE && LocalDate.parse(text).getYear() > 0
                    ? null
                    : "must be a date such as 2026-01-31";
        } catch (DateTimeException e) {
            return "must be a date such as 2026-01-31";
        }
    }
}
