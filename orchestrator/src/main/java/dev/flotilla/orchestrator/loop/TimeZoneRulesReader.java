package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The rules of time zones that windows are asked about, as this JVM knows them; of one it does not know nothing is said. */
final class TimeZoneRulesReader {
    private static final long EVERY = 1_000;

    private long due = Long.MIN_VALUE;

    /** Rules that are not yet what this JVM knows, once a second. */
    List<DecisionInput> readChanges(FleetState state, long millis, Instant now) {
        List<DecisionInput> changes = new ArrayList<>();
        if (millis >= due) {
            due = millis + EVERY;
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
