package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.gate.CampaignPolicyStartRules;
import dev.flotilla.schemas.row.CampaignState;
import java.util.List;

/** Whether a campaign goes on only after somebody approves something. */
public final class ApprovalNeed {
    private ApprovalNeed() {}

    /** Whether a running campaign awaits an approval that may be given now. */
    public static boolean awaitsApproval(FleetState state, CampaignRollout campaign) {
        if (campaign.status().state() != CampaignState.RUNNING) {
            return false;
        }
        if (campaign.status().approvals().editPending()) {
            return true;
        }
        List<WaveProgress> waves = campaign.waves();
        for (int i = 0; i < waves.size(); i++) {
            if (!waves.get(i).isClosed()) {
                return awaitsApproval(state, campaign, waves.get(i), i == waves.size() - 1);
            }
        }
        return false;
    }

    private static boolean awaitsApproval(
            FleetState state, CampaignRollout campaign, WaveProgress wave, boolean isLast) {
        if (wave.isShareUnset() || wave.total() == 0) {
            return false;
        }
        boolean mayNotStart =
                !wave.mayOpen() || (CampaignPolicyStartRules.isHeld(state, campaign, wave) && wave.remaining() > 0);
        boolean hasEnded = isLast ? wave.remaining() == 0 : wave.hasSucceeded();
        return mayNotStart || (wave.isOpen() && wave.awaitsApproval() && hasEnded);
    }
}
