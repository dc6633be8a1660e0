package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.UpgradePolicy.MaintenanceCalendar;
import java.time.Duration;
import java.util.List;

/** JSON codec for a policy's calendar. */
final class MaintenanceCalendarCodec {
    private static final int MAX_MEGA = 1_000_000;

    static final JsonObjectCodec<MaintenanceCalendar> CALENDAR = calendar();

    private MaintenanceCalendarCodec() {}

    private static JsonObjectCodec<MaintenanceCalendar> calendar() {
        var calendar = JsonObjectCodec.<MaintenanceCalendar>of(
                "calendar", "When machines may start, for campaigns and annotations alike.");
        var zone = calendar.optional(
                "timeZone",
                MaintenanceWindowCodec.ZONE,
                "The time zone of clusters without one of their own.",
                MaintenanceCalendar::timeZone);
        var windows = calendar.omittedIfDefault(
                "windows",
                MaintenanceWindowCodec.WINDOWS,
                List.of(),
                "No machine starts outside of these windows. Default: any time.",
                MaintenanceCalendar::windows);
        var estimate = calendar.optional(
                "estimate",
                ScalarCodecs.duration(Duration.ofMinutes(1), Duration.ofDays(1)),
                "The expected duration of an attempt, until a campaign has measured enough of them.",
                MaintenanceCalendar::estimate);
        var size = calendar.optional(
                "downloadMegabytes",
                ScalarCodecs.integer(1, MAX_MEGA),
                "What a node downloads for an upgrade, in megabytes. With linkMegabits, the download time is added to"
                        + " the estimate.",
                MaintenanceCalendar::downloadMegabytes);
        var rate = calendar.optional(
                "linkMegabits",
                ScalarCodecs.integer(1, MAX_MEGA),
                "The bandwidth of the link to a site, in megabits per second.",
                MaintenanceCalendar::linkMegabits);
        return calendar.build(
                v -> new MaintenanceCalendar(v.get(zone), v.get(windows), v.get(estimate), v.get(size), v.get(rate)));
    }
}
