package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import java.util.ArrayList;
import java.util.List;

/** What the clocks of a time zone show: the offset at first, and each later one with the instant from which it holds. */
public record TimeZoneRules(long initialOffset, List<OffsetTransition> changes) implements TableRow {
    /** From an instant on, an offset in seconds. */
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
