package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.TimeZoneName;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A maintenance window in local time: on certain days of every week, or on one date. A window whose end is not after its
 * beginning lasts until the next day.
 *
 * @param days the days on which it opens; empty if it has a date, or for every day
 * @param fromMinute the minute of the day at which it opens
 * @param toMinute the minute of the day at which it closes
 * @param timeZone the time zone; null for the cluster's own
 */
public record MaintenanceWindow(
        List<DayOfWeek> days,
        @Nullable LocalDate date,
        int fromMinute,
        int toMinute,
        @Nullable TimeZoneName timeZone) {
    public static final int MINUTES_OF_A_DAY = 24 * 60;

    public MaintenanceWindow {
        days = List.copyOf(days);
    }

    /** Whether it opens on a day, given as days since 1970-01-01. */
    public boolean opensOn(long epochDay) {
        if (date != null) {
            return date.toEpochDay() == epochDay;
        }
        return days.isEmpty() || days.contains(DayOfWeek.of(1 + (int) Math.floorMod(epochDay + 3, 7L)));
    }
}
