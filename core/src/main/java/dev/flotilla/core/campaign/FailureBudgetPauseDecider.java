package dev.flotilla.core.campaign;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FailureBudgetBreach;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.row.CampaignState;

/**
 * Pauses a campaign whose failures exceed its budget. It pauses only when no control plane is half upgraded, because
 * the budget reserved for them is theirs.
 */
final class FailureBudgetPauseDecider {
    private FailureBudgetPauseDecider() {}

    /** Whether the campaign must pause now. It does not pause while some of its machines cannot be read. */
    static boolean isPauseDue(FleetState state, CampaignRollout campaign) {
        return FailureBudgetBreach.isBreached(state, campaign)
                && !state.isPartlyUnrestored(campaign)
                && campaign.status().state() == CampaignState.RUNNING
                && campaign.remaining() > 0
                && campaign.halfUpgradedControlPlanes() == 0;
    }

    static Decision pause(DecisionBuilder draft, CampaignRollout campaign) {
        String reason = FailureBudgetBreach.describe(draft.state(), campaign);
        return draft.write(campaign.status().withState(CampaignState.PAUSED, reason, draft.at()))
                .build(DecisionEvent.CAMPAIGN_PAUSED, campaign.name(), reason);
    }
}
