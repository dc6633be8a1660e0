package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FailureBudgetEstimator;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.CampaignState;

/**
 * A campaign of which more machines have failed than its budget bears pauses by itself. What it keeps for control planes that
 * are half done is theirs: it pauses when they are through.
 */
final class FailureBudgetPauseDecider {
    private FailureBudgetPauseDecider() {}

    /** Whether it has to pause now: not while some of the machines that its share is of cannot be read. */
    static boolean isPauseDue(FleetState state, CampaignRollout campaign) {
        return FailureBudgetEstimator.isBreached(state, campaign)
                && !state.isPartlyUnrestored(campaign)
                && campaign.status().state() == CampaignState.RUNNING
                && campaign.remaining() > 0
                && campaign.halfDoneControlPlanes() == 0;
    }

    static Decision pause(DecisionBuilder draft, CampaignRollout campaign) {
        String reason = FailureBudgetEstimator.describeBreach(draft.state(), campaign);
        return draft.write(campaign.status().withState(CampaignState.PAUSED, reason, draft.at()))
                .build(DecisionEvent.CAMPAIGN_PAUSED, campaign.name(), reason);
    }
}
