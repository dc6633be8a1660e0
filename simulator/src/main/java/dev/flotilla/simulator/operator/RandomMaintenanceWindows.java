package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimTimeZones;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Random maintenance windows: short ones, in the first hours of a world. */
final class RandomMaintenanceWindows {
    private static final int EARLIEST = 30;
    private static final int LATEST = 300;
    /** The minute of the day from which an hour occurs twice where clocks go back. */
    private static final int REPEATED_HOUR_START = 135;

    /** The minute of an hour at which clocks change. */
    private static final int CLOCK_CHANGE_MINUTE = 15;

    private static final LocalDate TODAY = Instant.ofEpochMilli(VirtualClockScheduler.BEGIN)
            .atOffset(ZoneOffset.UTC)
            .toLocalDate();

    private RandomMaintenanceWindows() {}

    static List<MaintenanceWindow> windows(SeededRandom chance) {
        SeededRandom doubled = chance.split("the hour that comes twice");
        if (doubled.percent(30)) {
            int from = doubled.between(REPEATED_HOUR_START, REPEATED_HOUR_START + 25);
            return List.of(new MaintenanceWindow(List.of(), null, from, from + doubled.between(15, 35), null));
        }
        SeededRandom odd = chance.split("odd windows");
        if (odd.percent(15)) {
            return List.of(unusualWindow(odd));
        }
        List<MaintenanceWindow> windows = new ArrayList<>();
        for (int left = chance.between(1, 4); left > 0; left--) {
            int from = chance.between(EARLIEST, LATEST);
            int to = from + chance.between(5, 90);
            boolean dated = chance.percent(30);
            windows.add(new MaintenanceWindow(
                    dated || chance.percent(60) ? List.of() : List.of(TODAY.getDayOfWeek(), DayOfWeek.SUNDAY),
                    dated ? TODAY : null,
                    from,
                    to,
                    chance.percent(40) ? zone(chance) : null));
        }
        return windows;
    }

    /** A window that lasts a whole day, spans midnight, or opens or closes exactly when the clocks change. */
    private static MaintenanceWindow unusualWindow(SeededRandom chance) {
        int from = chance.between(0, LATEST);
        TimeZoneName zone = chance.percent(70) ? zone(chance) : null;
        return switch (chance.below(4)) {
            case 0 -> new MaintenanceWindow(List.of(), null, from, from, zone);
            case 1 ->
                new MaintenanceWindow(List.of(), null, MaintenanceWindow.MINUTES_OF_A_DAY - 1 - from / 2, from, zone);
            case 2 -> new MaintenanceWindow(List.of(), TODAY.minusDays(1), from, Math.max(0, from - 1), zone);
            default -> {
                int change = 60 * chance.between(1, 4) + CLOCK_CHANGE_MINUTE;
                yield chance.percent(50)
                        ? new MaintenanceWindow(List.of(), null, change, change + chance.between(10, 120), zone)
                        : new MaintenanceWindow(
                                List.of(), null, Math.max(0, change - chance.between(10, 120)), change, zone);
            }
        };
    }

    private static TimeZoneName zone(SeededRandom chance) {
        return new TimeZoneName(chance.pick(SimTimeZones.ALL.subList(0, 3)));
    }

    static UpgradePolicy.MaintenanceCalendar calendar(SeededRandom chance) {
        @Nullable Duration estimate = chance.percent(70) ? Duration.ofMinutes(chance.between(2, 12)) : null;
        SeededRandom load = chance.split("downloads");
        return new UpgradePolicy.MaintenanceCalendar(
                chance.percent(70) ? zone(chance) : null,
                chance.percent(8) ? windows(chance) : List.of(),
                estimate,
                load.percent(50) ? load.between(50, 300) : null,
                load.percent(50) ? load.between(5, 50) : null);
    }
}
