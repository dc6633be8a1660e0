package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import org.jspecify.annotations.Nullable;

/** How a machine stands with a campaign or an intent. */
public record Entry(
        Driver driver,
        String wave,
        long failedAttempts,
        @Nullable Long retryAt,
        @Nullable Long restUntil,
        @Nullable String from,
        String outcome) {
    static Entry read(Fields row) {
        return new Entry(
                Driver.read(row.in("driver")),
                row.text("wave"),
                row.numberOr("failedAttempts", 0),
                row.instantOrNull("retryAt"),
                row.instantOrNull("restUntil"),
                row.textOr("from", null),
                row.text("outcome", "open"));
    }

    public boolean ended() {
        return !outcome.equals("open");
    }

    public boolean atTarget() {
        return outcome.equals("succeeded") || outcome.equals("unchanged");
    }

    /** Whether it has succeeded after a call. */
    public boolean upgraded() {
        return outcome.equals("succeeded");
    }

    public boolean skipped() {
        return outcome.equals("skipped");
    }

    public boolean quarantined() {
        return outcome.equals("quarantined");
    }
}
