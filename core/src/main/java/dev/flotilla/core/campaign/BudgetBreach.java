package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FailureRisk;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.CampaignState;

/**
 * A campaign of which more machines have failed than its budget bears pauses by itself. What it keeps for control planes that
 * are half done is theirs: it pauses when they are through.
 */
final class BudgetBreach {
    private BudgetBreach() {}

    /** Whether it has to pause now: not while some of the machines that its share is of cannot be read. */
    static boolean calls(FleetState state, CampaignRollout campaign) {
        return FailureRisk.isBreached(state, campaign)
                && !state.isPartlyUnread(campaign)
                && campaign.status().state() == CampaignState.RUNNING
                && campaign.remaining() > 0
                && campaign.finishing() == 0;
    }

    static Decision pause(Draft draft, CampaignRollout campaign) {
        String reason = FailureRisk.breach(draft.state(), campaign);
        return draft.write(campaign.status().withState(CampaignState.PAUSED, reason, draft.at()))
                .decide(Event.CAMPAIGN_PAUSED, campaign.name(), reason);
    }
}
