package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;

/**
 * What a campaign has used of its failure budget in a site.
 *
 * @param campaignUid of the campaign that is meant by the name
 * @param machines that failed or are in flight, and what half-done control planes reserve
 */
public record FailureBudgetUse(CampaignName campaign, long campaignUid, int machines) {}
