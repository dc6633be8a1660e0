package dev.flotilla.simulator.world;

import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time zones of simulated worlds; two of them change their offset while the world runs. */
public final class SimTimeZones {
    public static final String PLAIN = "Sim/Plain";
    public static final String SPRING = "Sim/Spring";
    public static final String AUTUMN = "Sim/Autumn";
    public static final String UNKNOWN = "Sim/Nowhere";
    public static final List<String> ALL = List.of(PLAIN, SPRING, AUTUMN, UNKNOWN);

    private static final int HOUR = 3600;
    private static final long OFFSET_CHANGE_AT = VirtualClockScheduler.BEGIN + 75L * 60_000;

    private SimTimeZones() {}

    /** The rules that the leader's host knows for a zone; null if it knows none. */
    public static @Nullable TimeZoneRules rules(TimeZoneName zone) {
        return switch (zone.id()) {
            case PLAIN -> new TimeZoneRules(zone, HOUR, List.of());
            case SPRING -> new TimeZoneRules(zone, HOUR, transitionTo(2 * HOUR));
            case AUTUMN -> new TimeZoneRules(zone, 2 * HOUR, transitionTo(HOUR));
            default -> null;
        };
    }

    private static List<TimeZoneRules.OffsetTransition> transitionTo(int offset) {
        return List.of(new TimeZoneRules.OffsetTransition(Instant.ofEpochMilli(OFFSET_CHANGE_AT), offset));
    }
}
