package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was decided about a machine. */
public record MachineStatus(
        String id,
        String site,
        String uid,
        @Nullable Attempt attempt,
        @Nullable Failure lastFailure,
        List<Entry> entries)
        implements Row {
    /** How an attempt failed. */
    public record Failure(long attempt, String reason) {}

    static MachineStatus read(Fields row) {
        List<Entry> entries = new ArrayList<>();
        for (Json item : row.items("entries")) {
            entries.add(Entry.read(Fields.of(item)));
        }
        Fields failure = row.in("lastFailure");
        String site = row.text("site");
        return new MachineStatus(
                site + "/" + row.text("namespace") + "/" + row.text("name"),
                site,
                row.text("uid"),
                row.has("attempt") ? Attempt.read(row.in("attempt")) : null,
                row.has("lastFailure") ? new Failure(failure.number("attempt"), failure.text("reason")) : null,
                entries);
    }

    /** Whether its open attempt, if there is one, is this campaign's or intent's. */
    public boolean inFlightFor(Driver driver) {
        return attempt != null && attempt.driver().equals(driver);
    }

    public @Nullable Entry entry(Driver driver) {
        for (Entry entry : entries) {
            if (entry.driver().equals(driver)) {
                return entry;
            }
        }
        return null;
    }
}
