package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** A campaign as it is specified. */
public record CampaignRow(String name, Spec spec) implements Row {
    static CampaignRow read(Fields row) {
        return new CampaignRow(row.in("metadata").text("name"), Spec.read(row.in("spec")));
    }
}
