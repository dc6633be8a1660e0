package dev.flotilla.core.fleet.time;

import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.util.List;

/**
 * The clock of a time zone, by the rules in its row. A local time means the first instant at which the clock shows it
 * or later: a time skipped in spring is the instant of the change, and a time that occurs twice in autumn is the first
 * one. So each window opens once and closes once.
 */
final class LocalTimeCalculator {
    static final long NEVER = Long.MAX_VALUE;
    static final long CLOSED = -1;

    private static final long SECOND = 1000;
    private static final long MINUTE = 60_000;
    private static final long DAY = MaintenanceWindow.MINUTES_OF_A_DAY * MINUTE;
    private static final int WEEK = 8;

    private final long[] begins;
    private final long[] offsets;

    LocalTimeCalculator(TimeZoneRules rules) {
        List<TimeZoneRules.OffsetTransition> transitions = rules.transitions();
        this.begins = new long[transitions.size() + 1];
        this.offsets = new long[transitions.size() + 1];
        begins[0] = Long.MIN_VALUE;
        offsets[0] = rules.initialOffsetSeconds() * SECOND;
        for (int i = 0; i < transitions.size(); i++) {
            begins[i + 1] = transitions.get(i).at().toEpochMilli();
            offsets[i + 1] = transitions.get(i).offsetSeconds() * SECOND;
        }
    }

    /** The local day, counted from 1970. */
    private long day(long now) {
        int i = begins.length - 1;
        while (begins[i] > now) {
            i--;
        }
        return Math.floorDiv(now + offsets[i], DAY);
    }

    /** The first instant at which the clock shows a local time or later. */
    private long instant(long local) {
        int i = 0;
        while (i < begins.length - 1 && Math.max(begins[i], local - offsets[i]) >= begins[i + 1]) {
            i++;
        }
        return Math.max(begins[i], local - offsets[i]);
    }

    private long opens(MaintenanceWindow window, long day) {
        return instant(day * DAY + window.fromMinute() * MINUTE);
    }

    private long closes(MaintenanceWindow window, long day) {
        return instant((window.toMinute() > window.fromMinute() ? day : day + 1) * DAY + window.toMinute() * MINUTE);
    }

    /** When an open window closes; {@link #CLOSED} if it is not open. */
    long closesIfOpen(MaintenanceWindow window, long now) {
        long today = day(now);
        for (long day = today - 1; day <= today; day++) {
            if (window.opensOn(day) && opens(window, day) <= now && now < closes(window, day)) {
                return closes(window, day);
            }
        }
        return CLOSED;
    }

    /** When a window next opens or closes. */
    long next(MaintenanceWindow window, long now) {
        long today = window.date() == null
                ? day(now)
                : Math.max(day(now), window.date().toEpochDay());
        long next = NEVER;
        for (long day = today - 1; day <= today + WEEK && next == NEVER; day++) {
            if (window.opensOn(day)) {
                long closes = closes(window, day);
                next = after(opens(window, day), now, next);
                next = after(closes, now, next);
            }
        }
        return next;
    }

    private static long after(long edge, long now, long known) {
        return edge > now ? Math.min(edge, known) : known;
    }
}
