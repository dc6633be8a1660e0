package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The rules of time zones that windows are asked about, as this JVM knows them; of one it does not know nothing is said. */
final class ZoneReading {
    private static final long EVERY = 1_000;

    private long due = Long.MIN_VALUE;

    /** Rules that are not yet what this JVM knows, once a second. */
    List<Input> changes(FleetState state, long millis, Instant now) {
        List<Input> changes = new ArrayList<>();
        if (millis >= due) {
            due = millis + EVERY;
            for (TimeZoneName zone : state.zones()) {
                TimeZoneRules rules = TimeZoneRules.fromJvm(zone, now);
                if (rules != null && !rules.equals(state.zone(zone))) {
                    changes.add(new Input.ZoneRead(rules, now));
                }
            }
        }
        return changes;
    }
}
