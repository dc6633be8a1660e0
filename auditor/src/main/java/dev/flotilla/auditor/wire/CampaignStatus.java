package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import org.jspecify.annotations.Nullable;

/** What was made of a campaign. {@code taught} is the version that its first machine has shown. */
public record CampaignStatus(
        String name,
        long uid,
        Spec spec,
        String state,
        @Nullable String taught,
        boolean overlapApproved) implements Row {
    static CampaignStatus read(Fields row) {
        return new CampaignStatus(
                row.text("name"),
                row.number("uid"),
                Spec.read(row.in("accepted").in("spec")),
                row.text("state"),
                taught(row),
                overlapApproved(row));
    }

    private static boolean overlapApproved(Fields row) {
        String order = row.text("name") + "/overlap";
        return row.items("appliedOrders").stream()
                .anyMatch(applied -> Fields.of(applied).text("order").equals(order));
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
