package dev.flotilla.core.intake;

import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.CampaignApprovals;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Ends the approvals of an edited campaign. An approval is for one content hash: it ends with an edit of anything but
 * start, deadline and priority, and then nothing starts until the new content is approved.
 */
public final class EditApprovalReset {
    private EditApprovalReset() {}

    /** Writes the wave rows whose approval or size ends with the edit. */
    static void writeWaves(DecisionBuilder draft, CampaignRollout campaign, Campaign edited) {
        boolean contentChanged = contentDiffers(campaign.spec(), edited.spec());
        for (WaveProgress wave : campaign.waves()) {
            WaveStatus status = wave.status();
            if (status != null) {
                WaveStatus next = isResized(wave, edited) ? status.withShare(null) : status;
                next = contentChanged && !wave.isClosed() ? next.withApproval(null) : next;
                if (!next.equals(status)) {
                    draft.write(next);
                }
            }
        }
    }

    /** Describes the approvals that an edit ends; empty for none. */
    public static List<String> describeEndedApprovals(FleetState state, CampaignRollout campaign, Campaign edited) {
        List<String> ended = new ArrayList<>();
        if (contentDiffers(campaign.spec(), edited.spec())) {
            for (WaveProgress wave : campaign.waves()) {
                if (wave.isApproved() && !wave.isClosed()) {
                    ended.add("of wave " + wave.wave().name());
                }
            }
            if (campaign.status().approvals().approvedOverlapUid() != null) {
                ended.add("to run beside an earlier campaign");
            }
            for (CampaignRollout other : state.campaigns().values()) {
                if (other.status().mayOverlap(campaign.status())) {
                    ended.add("of campaign " + other.name() + " to run beside it");
                }
            }
        }
        return ended;
    }

    /**
     * The approvals of the campaign as a whole after an edit, and since when earlier overlap approvals of other
     * campaigns no longer count.
     */
    static CampaignApprovals approvalsAfterEdit(CampaignRollout campaign, Campaign edited, long seq) {
        CampaignStatus before = campaign.status();
        if (!contentDiffers(campaign.spec(), edited.spec())) {
            return before.approvals();
        }
        boolean needsApproval = campaign.waves().stream()
                .anyMatch(wave -> wave.wave().approval() != Wave.WaveApproval.NONE || wave.isApproved());
        return before.approvals()
                .withPendingEdit(needsApproval || before.approvals().editPending(), seq);
    }

    /** Whether the edit changes the size of a wave, which must then be fixed again. */
    private static boolean isResized(WaveProgress campaign, Campaign edited) {
        return campaign.status() != null
                && campaign.status().sharePartsPerMillion() != null
                && edited.spec().waves().stream()
                        .anyMatch(wave -> wave.name().equals(campaign.wave().name())
                                && !Objects.equals(wave.size(), campaign.wave().size()));
    }

    private static boolean contentDiffers(CampaignSpec before, CampaignSpec after) {
        return !approvedContent(before).equals(approvedContent(after));
    }

    /** The content that needs an approval: without start, deadline, priority, weight and expected content hash. */
    private static CampaignSpec approvedContent(CampaignSpec spec) {
        return CampaignSpecBuilder.from(spec)
                .weight(CampaignSpec.DEFAULT_WEIGHT)
                .expectedContentHash(null)
                .startAt(null)
                .deadline(null)
                .priority(0)
                .build();
    }
}
