package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status row of a campaign.
 *
 * @param resolvedVersions the version that the first machine in each site has shown, by site; "" is any site
 * @param failuresOfRemovedMachines failed machines whose name another machine has since
 */
public record CampaignStatus(
        String name,
        long uid,
        CampaignSpec spec,
        String state,
        Map<String, String> resolvedVersions,
        CampaignApprovals approvals,
        long failuresOfRemovedMachines)
        implements TableRow {
    /**
     * The approvals of the campaign as a whole.
     *
     * @param overlapOf the uid of the earlier campaign beside which it may run; 0 for none
     * @param overlapSeq the decision that allowed it
     * @param endedBeforeAttempt the last edit of this campaign that ended approvals
     */
    record CampaignApprovals(long overlapOf, long overlapSeq, long endedBeforeAttempt) {
        static CampaignApprovals read(JsonFieldReader row) {
            return row.has("approvals") ? of(row.child("approvals")) : new CampaignApprovals(0, 0, 0);
        }

        private static CampaignApprovals of(JsonFieldReader known) {
            return new CampaignApprovals(
                    known.numberOr("approvedOverlapUid", 0),
                    known.numberOr("overlapApprovedSeq", 0),
                    known.numberOr("endedBeforeSeq", 0));
        }
    }

    static CampaignStatus read(JsonFieldReader row) {
        return new CampaignStatus(
                row.text("name"),
                row.number("uid"),
                CampaignSpec.read(row.child("acceptedCampaign").child("spec")),
                row.text("state"),
                resolvedVersions(row),
                CampaignApprovals.read(row),
                row.numberOr("failuresOfDeletedMachines", 0));
    }

    private static Map<String, String> resolvedVersions(JsonFieldReader row) {
        Map<String, String> versions = new HashMap<>();
        for (JsonValue resolved : row.items("resolvedTargets")) {
            String version = JsonFieldReader.of(resolved).textOr("version", null);
            String site = JsonFieldReader.of(resolved).textOr("site", null);
            if (version != null) {
                versions.putIfAbsent(site == null ? "" : site, version);
            }
        }
        return versions;
    }

    /** The version that a machine of a site has shown; null if none has. */
    public @Nullable String resolvedVersionIn(String site) {
        String own = resolvedVersions.get(site);
        return own == null ? resolvedVersions.get("") : own;
    }

    public RolloutRef.CampaignRef rollout() {
        return new RolloutRef.CampaignRef(name, uid);
    }

    /** Whether the overlap with an earlier campaign is approved, and that campaign was not edited since. */
    public boolean mayRunBeside(CampaignStatus earlier) {
        return earlier.uid == approvals.overlapOf && approvals.overlapSeq >= earlier.approvals.endedBeforeAttempt;
    }

    public boolean isRunning() {
        return state.equals("running");
    }

    public boolean isCompleted() {
        return state.equals("completed");
    }

    public boolean isOver() {
        return state.equals("aborted") || isCompleted();
    }
}
