package dev.flotilla.simulator.world;

import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time zones of simulated worlds: clocks change while things happen. */
public final class SimTimeZones {
    public static final String PLAIN = "Sim/Plain";
    public static final String SPRING = "Sim/Spring";
    public static final String AUTUMN = "Sim/Autumn";
    public static final String UNKNOWN = "Sim/Nowhere";
    public static final List<String> ALL = List.of(PLAIN, SPRING, AUTUMN, UNKNOWN);

    private static final int HOUR = 3600;
    private static final long CHANGE = VirtualClockScheduler.BEGIN + 75L * 60_000;

    private SimTimeZones() {}

    /** What the leader's machine knows of a zone; null for nothing. */
    public static @Nullable TimeZoneRules rules(TimeZoneName zone) {
        return switch (zone.id()) {
            case PLAIN -> new TimeZoneRules(zone, HOUR, List.of());
            case SPRING -> new TimeZoneRules(zone, HOUR, change(2 * HOUR));
            case AUTUMN -> new TimeZoneRules(zone, 2 * HOUR, change(HOUR));
            default -> null;
        };
    }

    private static List<TimeZoneRules.OffsetTransition> change(int offset) {
        return List.of(new TimeZoneRules.OffsetTransition(Instant.ofEpochMilli(CHANGE), offset));
    }
}
