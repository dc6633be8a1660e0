package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import org.jspecify.annotations.Nullable;

/** How far a wave is. */
public record WaveStatus(
        String campaign,
        String wave,
        long campaignUid,
        @Nullable Long bound,
        boolean opened,
        boolean approved,
        @Nullable Long lastSuccess,
        boolean closed)
        implements Row {
    static WaveStatus read(Fields row) {
        return new WaveStatus(
                row.text("campaign"),
                row.text("wave"),
                row.number("campaignUid"),
                row.has("bound") ? (Long) row.number("bound") : null,
                row.has("opened"),
                row.has("approvedBy"),
                row.instantOrNull("lastSuccess"),
                row.has("closed"));
    }
}
