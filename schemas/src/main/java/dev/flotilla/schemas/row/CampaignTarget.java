package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * The target of every machine that a campaign selects.
 *
 * @param option what k8sd refreshes to
 * @param expectedVersion the Kubernetes version that the node must show after the upgrade
 * @param allowDowngrade whether a machine that shows a higher version may be downgraded to the target
 */
public record CampaignTarget(UpgradeTarget option, @Nullable String expectedVersion, boolean allowDowngrade) {}
