package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.MalformedJson;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** When machines may be started, by the clocks on site. */
public record Window(
        List<String> days,
        @Nullable LocalDate date,
        LocalTime from,
        LocalTime to,
        @Nullable String zone) {
    private static final int SHORT_NAME = 3;

    static List<Window> readAll(Fields row) {
        return row.items("windows").stream().map(item -> read(Fields.of(item))).toList();
    }

    private static Window read(Fields window) {
        String date = window.textOr("date", null);
        try {
            return new Window(
                    window.texts("days"),
                    date == null ? null : LocalDate.parse(date),
                    LocalTime.parse(window.text("from")),
                    LocalTime.parse(window.text("to")),
                    window.textOr("zone", null));
        } catch (DateTimeException e) {
            throw new MalformedJson("has a window without a right time");
        }
    }

    public boolean opensOn(LocalDate day) {
        String name = day.getDayOfWeek().name().toLowerCase(Locale.ROOT).substring(0, SHORT_NAME);
        return date != null ? date.equals(day) : days.isEmpty() || days.contains(name);
    }
}
