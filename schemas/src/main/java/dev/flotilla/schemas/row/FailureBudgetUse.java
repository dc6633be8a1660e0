package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;

/**
 * How much of its failure budget a campaign has used in a site.
 *
 * @param campaignUid the campaign's uid
 * @param machines machines that failed or are in flight, plus the machines reserved for half-upgraded control planes
 */
public record FailureBudgetUse(CampaignName campaign, long campaignUid, int machines) {}
