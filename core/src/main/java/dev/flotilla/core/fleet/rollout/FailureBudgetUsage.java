package dev.flotilla.core.fleet.rollout;

import org.jspecify.annotations.Nullable;

/**
 * How much of a campaign's failure budget is used.
 *
 * @param machines how many machines may fail
 * @param used machines that failed or are in flight, or that are reserved for a half-upgraded control plane
 */
public record FailureBudgetUsage(int machines, int used) {
    /** The usage of a campaign's budget; null if it has no budget. */
    public static @Nullable FailureBudgetUsage of(CampaignRollout campaign) {
        return campaign.spec().failureBudget() == null
                ? null
                : new FailureBudgetUsage(campaign.maxFailures(), campaign.budgetUsed());
    }

    /** How many more machines may start. */
    public int remaining() {
        return Math.max(0, machines - used);
    }
}
