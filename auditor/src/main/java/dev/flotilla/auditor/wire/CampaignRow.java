package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;

/** A campaign as an operator wrote it. */
record CampaignRow(String name, CampaignSpec spec) implements TableRow {
    static CampaignRow read(JsonFieldReader row) {
        return new CampaignRow(row.child("metadata").text("name"), CampaignSpec.read(row.child("spec")));
    }
}
