package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.ArrayList;
import java.util.List;

/** The offsets of a time zone: the first one, and each later one with the instant from which it applies. */
public record TimeZoneRules(long initialOffset, List<OffsetTransition> changes) implements TableRow {
    /** An offset in seconds that applies from an instant on. */
    public record OffsetTransition(long at, long offset) {}

    static TimeZoneRules read(JsonFieldReader row) {
        List<OffsetTransition> changes = new ArrayList<>();
        row.items("transitions").stream()
                .map(JsonFieldReader::of)
                .forEach(change ->
                        changes.add(new OffsetTransition(change.instant("at"), change.number("offsetSeconds"))));
        return new TimeZoneRules(row.number("initialOffsetSeconds"), changes);
    }
}
