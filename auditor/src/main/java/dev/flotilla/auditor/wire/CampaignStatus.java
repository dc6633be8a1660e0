package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What was made of a campaign.
 *
 * @param taught the version that its first machine has shown
 * @param overlapOf the uid of the earlier campaign beside which it may run; 0 for none
 */
public record CampaignStatus(
        String name,
        long uid,
        Spec spec,
        String state,
        @Nullable String taught,
        long overlapOf) implements Row {

    static CampaignStatus read(Fields row) {
        return new CampaignStatus(
                row.text("name"),
                row.number("uid"),
                Spec.read(row.in("accepted").in("spec")),
                row.text("state"),
                taught(row),
                row.has("approvals") ? row.in("approvals").numberOr("overlapOf", 0) : 0);
    }

    private static @Nullable String taught(Fields row) {
        for (Json learned : row.items("learned")) {
            String version = Fields.of(learned).textOr("version", null);
            if (version != null) {
                return version;
            }
        }
        return null;
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
