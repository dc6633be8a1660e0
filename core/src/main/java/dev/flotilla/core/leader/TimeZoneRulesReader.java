package dev.flotilla.core.leader;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rules of time zones that windows use from this host; a zone that the host does not know is left out. */
public final class TimeZoneRulesReader {
    /** What a host knows of time zones. */
    public interface TimeZoneSource {
        /** The rules of a time zone; null if the host does not know it. */
        @Nullable
        TimeZoneRules rulesOf(TimeZoneName zone, Instant now);
    }

    private final TimeZoneSource source;
    private final long intervalMillis;
    private long nextReadMillis = Long.MIN_VALUE;

    public TimeZoneRulesReader(TimeZoneSource source, long intervalMillis) {
        this.source = source;
        this.intervalMillis = intervalMillis;
    }

    /** Rules that differ between the state and this host; checked once in an interval. */
    List<DecisionInput> readChanges(FleetState state, long millis, Instant now) {
        List<DecisionInput> changes = new ArrayList<>();
        if (millis >= nextReadMillis) {
            nextReadMillis = millis + intervalMillis;
            for (TimeZoneName zone : state.neededTimeZones()) {
                TimeZoneRules rules = source.rulesOf(zone, now);
                if (rules != null && !rules.equals(state.timeZoneRules(zone))) {
                    changes.add(new DecisionInput.TimeZoneRead(rules, now));
                }
            }
        }
        return changes;
    }
}
