package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The UTC offsets of a time zone as a row, so that a decision never depends on the JVM's time zone data.
 *
 * @param initialOffsetSeconds the offset from UTC before the first transition
 */
public record TimeZoneRules(TimeZoneName timeZone, int initialOffsetSeconds, List<OffsetTransition> transitions)
        implements TableRow {

    private static final int YEARS = 10;

    /** A change of the offset from UTC at an instant. */
    public record OffsetTransition(Instant at, int offsetSeconds) {}

    public TimeZoneRules {
        transitions = List.copyOf(transitions);
    }

    /** Whether this JVM knows a time zone. */
    public static boolean isKnownToJvm(TimeZoneName zone) {
        try {
            ZoneId.of(zone.id());
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Returns this JVM's rules of a time zone for some years around an instant; null if it does not know the time zone. */
    public static @Nullable TimeZoneRules fromJvm(TimeZoneName zone, Instant now) {
        java.time.zone.ZoneRules rules;
        try {
            rules = ZoneId.of(zone.id()).getRules();
        } catch (DateTimeException e) {
            return null;
        }
        int year = now.atOffset(ZoneOffset.UTC).getYear();
        Instant from = LocalDate.of(year - 1, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
        Instant to = LocalDate.of(year + YEARS, 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
        List<OffsetTransition> transitions = new ArrayList<>();
        ZoneOffsetTransition next = rules.nextTransition(from);
        while (next != null && next.getInstant().isBefore(to)) {
            transitions.add(new OffsetTransition(
                    next.getInstant(), next.getOffsetAfter().getTotalSeconds()));
            next = rules.nextTransition(next.getInstant());
        }
        return new TimeZoneRules(zone, rules.getOffset(from).getTotalSeconds(), transitions);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGN_STATUS, timeZone);
    }
}
