package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was made of a campaign.
 *
 * @param taught the version that its first machine in each site has shown, by site; "" is any
 * @param overlapOf the uid of the earlier campaign beside which it may run; 0 for none
 * @param failuresOfGone machines that failed and whose name another machine has since
 */
public record CampaignStatus(
        String name, long uid, Spec spec, String state, Map<String, String> taught, long overlapOf, long failuresOfGone)
        implements Row {
    static CampaignStatus read(Fields row) {
        return new CampaignStatus(
                row.text("name"),
                row.number("uid"),
                Spec.read(row.in("accepted").in("spec")),
                row.text("state"),
                taught(row),
                row.has("approvals") ? row.in("approvals").numberOr("overlapOf", 0) : 0,
                row.numberOr("failuresOfGone", 0));
    }

    private static Map<String, String> taught(Fields row) {
        Map<String, String> versions = new HashMap<>();
        for (Json learned : row.items("learned")) {
            String version = Fields.of(learned).textOr("version", null);
            String site = Fields.of(learned).textOr("site", null);
            if (version != null) {
                versions.putIfAbsent(site == null ? "" : site, version);
            }
        }
        return versions;
    }

    /** The version that a machine of a site has shown; null where none has. */
    public @Nullable String taughtIn(String site) {
        String own = taught.get(site);
        return own == null ? taught.get("") : own;
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
