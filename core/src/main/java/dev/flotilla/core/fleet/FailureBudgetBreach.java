package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;

/** Whether a campaign has exceeded its failure budget, and the sentence that says so. */
public final class FailureBudgetBreach {
    private FailureBudgetBreach() {}

    /**
     * Whether more machines have failed than the budget allows. A strict budget is exceeded only by an edit, when members
     * leave, or when a site is written off.
     */
    public static boolean isBreached(FleetState state, CampaignRollout campaign) {
        return state.failed(campaign) > campaign.maxFailures();
    }

    /** The numbers of failed machines and of the budget, as a sentence. */
    public static String describe(FleetState state, CampaignRollout campaign) {
        return state.failed(campaign) + " machines have failed" + describeDeleted(campaign)
                + ", and the failure budget is " + campaign.maxFailures();
    }

    /** How many of the failed machines have been deleted since, as a part of a sentence; empty for none. */
    public static String describeDeleted(Rollout rollout) {
        return rollout.failedAndDeleted() == 0 ? "" : ", " + rollout.failedAndDeleted() + " of them deleted since";
    }
}
