package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.MalformedJsonException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When machines may start, in local time. */
public record MaintenanceWindow(
        List<String> days,
        @Nullable LocalDate date,
        LocalTime from,
        LocalTime to,
        @Nullable String zone) {
    private static final int SHORT_NAME = 3;

    static List<MaintenanceWindow> readAll(JsonFieldReader row) {
        return row.items("windows").stream()
                .map(item -> read(JsonFieldReader.of(item)))
                .toList();
    }

    private static MaintenanceWindow read(JsonFieldReader window) {
        String date = window.textOr("date", null);
        try {
            return new MaintenanceWindow(
                    window.texts("days"),
                    date == null ? null : LocalDate.parse(date),
                    LocalTime.parse(window.text("from")),
                    LocalTime.parse(window.text("to")),
                    window.textOr("zone", null));
        } catch (DateTimeException e) {
            throw new MalformedJsonException("has a window without a right time");
        }
    }

    public boolean opensOnDay(LocalDate day) {
        String name = day.getDayOfWeek().name().toLowerCase(Locale.ROOT).substring(0, SHORT_NAME);
        return date != null ? date.equals(day) : days.isEmpty() || days.contains(name);
    }
}
