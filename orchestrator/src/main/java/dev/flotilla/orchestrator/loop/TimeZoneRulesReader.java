package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads the rules of time zones that windows use from this JVM; a zone that the JVM does not know is left out. */
final class TimeZoneRulesReader {
    private static final long INTERVAL_MILLIS = 1_000;

    private long nextReadMillis = Long.MIN_VALUE;

    /** Rules that differ between the state and this JVM; checked once a second. */
    List<DecisionInput> readChanges(FleetState state, long millis, Instant now) {
        List<DecisionInput> changes = new ArrayList<>();
        if (millis >= nextReadMillis) {
            nextReadMillis = millis + INTERVAL_MILLIS;
            for (TimeZoneName zone : state.neededTimeZones()) {
                TimeZoneRules rules = TimeZoneRules.fromJvm(zone, now);
                if (rules != null && !rules.equals(state.timeZoneRules(zone))) {
                    changes.add(new DecisionInput.TimeZoneRead(rules, now));
                }
            }
        }
        return changes;
    }
}
