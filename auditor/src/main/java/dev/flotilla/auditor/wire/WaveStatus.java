package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** How far a wave is. */
public record WaveStatus(
        String campaign, String wave, long campaignUid, boolean opened, boolean approved, boolean closed)
        implements Row {
    static WaveStatus read(Fields row) {
        return new WaveStatus(
                row.text("campaign"),
                row.text("wave"),
                row.number("campaignUid"),
                row.has("opened"),
                row.has("approvedBy"),
                row.has("closed"));
    }
}
