package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;

/**
 * The offsets of a time zone, so that a decision never depends on the JVM's own idea of them.
 *
 * @param initialOffsetSeconds from UTC, before the first transition
 */
public record ZoneRules(ZoneName zone, int initialOffsetSeconds, List<Transition> transitions) implements Row {

    /** From this instant on, this offset from UTC. */
    public record Transition(Instant at, int offsetSeconds) {}

    public ZoneRules {
        transitions = List.copyOf(transitions);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, zone);
    }
}
