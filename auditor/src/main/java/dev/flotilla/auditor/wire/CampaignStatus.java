package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;

/** What was made of a campaign. */
public record CampaignStatus(String name, long uid, Spec spec, String state) implements Row {
    static CampaignStatus read(Fields row) {
        return new CampaignStatus(
                row.text("name"),
                row.number("uid"),
                Spec.read(row.in("accepted").in("spec")),
                row.text("state"));
    }

    public Driver.OfCampaign driver() {
        return new Driver.OfCampaign(name, uid);
    }

    public boolean runs() {
        return state.equals("running");
    }

    public boolean over() {
        return state.equals("aborted") || state.equals("completed");
    }
}
