package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;

/** Another campaign, and the percentage of its machines that must have succeeded before this one starts a machine. */
public record CampaignDependency(CampaignName campaign, int successPercent) {}
