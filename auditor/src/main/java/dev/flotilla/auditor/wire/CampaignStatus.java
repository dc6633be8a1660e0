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
 * @param failuresOfGone machines that failed and whose name another machine has since
 */
public record CampaignStatus(
        String name,
        long uid,
        Spec spec,
        String state,
        Map<String, String> taught,
        Approvals approvals,
        long failuresOfGone)
        implements Row {
    /**
     * What people have approved of the campaign as a whole.
     *
     * @param overlapOf the uid of the earlier campaign beside which it may run; 0 for none
     * @param overlapSeq the decision that let it
     * @param endedBelow the last edit of this campaign that ended approvals
     */
    record Approvals(long overlapOf, long overlapSeq, long endedBelow) {
        static Approvals read(Fields row) {
            return row.has("approvals") ? of(row.in("approvals")) : new Approvals(0, 0, 0);
        }

        private static Approvals of(Fields known) {
            return new Approvals(
                    known.numberOr("overlapOf", 0), known.numberOr("overlapSeq", 0), known.numberOr("endedBelow", 0));
        }
    }

    static CampaignStatus read(Fields row) {
        return new CampaignStatus(
                row.text("name"),
                row.number("uid"),
                Spec.read(row.in("accepted").in("spec")),
                row.text("state"),
                taught(row),
                Approvals.read(row),
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

    /** Whether people let it run beside an earlier campaign, and that one was not edited since. */
    public boolean mayRunBeside(CampaignStatus earlier) {
        return earlier.uid == approvals.overlapOf && approvals.overlapSeq >= earlier.approvals.endedBelow;
    }

    public boolean runs() {
        return state.equals("running");
    }

    public boolean over() {
        return state.equals("aborted") || state.equals("completed");
    }
}
