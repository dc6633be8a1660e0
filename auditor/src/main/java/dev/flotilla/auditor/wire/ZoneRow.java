package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import java.util.ArrayList;
import java.util.List;

/** What the clocks of a time zone show: the offset at first, and each later one with the instant from which it holds. */
public record ZoneRow(long initialOffset, List<Change> changes) implements Row {
    /** From an instant on, an offset in seconds. */
    public record Change(long at, long offset) {}

    static ZoneRow read(Fields row) {
        List<Change> changes = new ArrayList<>();
        row.items("transitions").stream()
                .map(Fields::of)
                .forEach(change -> changes.add(new Change(change.instant("at"), change.number("offsetSeconds"))));
        return new ZoneRow(row.number("initialOffsetSeconds"), changes);
    }
}
