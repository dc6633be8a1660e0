package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Constraints of a campaign besides its waves, caps and failure budget.
 *
 * @param clusterSoak the pause in a cluster between one machine's success and the next start
 * @param weight its share of the slots among campaigns of equal priority
 * @param dependsOn campaigns that must have reached their success percentage before this one starts a machine
 * @param windows when it may start machines; empty for any time
 * @param cohortRule when a failure cohort is closed; null for never
 * @param expectedContentHash the content hash of the campaign that this edit is based on; null if it applies to any
 * @param domainCaps how many of its machines with the same value of a label may be in flight at once
 * @param allowDowngrade whether a machine that shows a higher version may be downgraded to the target
 * @param strict whether no more machines start in a cluster that has a quarantined machine
 * @param drainMode whether nodes are drained before their calls; null for the setting of each site's worker
 */
public record CampaignConstraints(
        Duration clusterSoak,
        int weight,
        List<CampaignDependency> dependsOn,
        List<MaintenanceWindow> windows,
        @Nullable FailureCohortRule cohortRule,
        @Nullable String expectedContentHash,
        List<TopologyDomainCap> domainCaps,
        boolean allowDowngrade,
        boolean strict,
        @Nullable DrainMode drainMode) {
    public static final int DEFAULT_WEIGHT = 100;

    public static final CampaignConstraints NONE =
            new CampaignConstraints(Duration.ZERO, DEFAULT_WEIGHT, List.of(), List.of());

    /** Another campaign, and the percentage of its machines that must have succeeded. */
    public record CampaignDependency(CampaignName campaign, int successPercent) {}

    public CampaignConstraints {
        dependsOn = List.copyOf(dependsOn);
        windows = List.copyOf(windows);
        domainCaps = List.copyOf(domainCaps);
    }

    /** Constraints without an expected content hash. */
    public CampaignConstraints(
            Duration settle,
            int weight,
            List<CampaignDependency> dependsOn,
            List<MaintenanceWindow> windows,
            @Nullable FailureCohortRule cohorts) {
        this(settle, weight, dependsOn, windows, cohorts, null, List.of(), false, false, null);
    }

    /** Constraints without a failure cohort rule. */
    public CampaignConstraints(
            Duration settle, int weight, List<CampaignDependency> dependsOn, List<MaintenanceWindow> windows) {
        this(settle, weight, dependsOn, windows, null);
    }

    /** Constraints without maintenance windows. */
    public CampaignConstraints(Duration settle, int weight, List<CampaignDependency> dependsOn) {
        this(settle, weight, dependsOn, List.of());
    }

    /** Returns a copy with the content hash that the edit is based on; null for any. */
    public CampaignConstraints expectedContentHash(@Nullable String contentHash) {
        return new CampaignConstraints(
                clusterSoak,
                weight,
                dependsOn,
                windows,
                cohortRule,
                contentHash,
                domainCaps,
                allowDowngrade,
                strict,
                drainMode);
    }

    /** Returns a copy with these caps for topology domains. */
    public CampaignConstraints withDomainCaps(List<TopologyDomainCap> caps) {
        return new CampaignConstraints(
                clusterSoak,
                weight,
                dependsOn,
                windows,
                cohortRule,
                expectedContentHash,
                caps,
                allowDowngrade,
                strict,
                drainMode);
    }

    /** Returns a copy that allows downgrades. */
    public CampaignConstraints withDowngrade(boolean allowed) {
        return new CampaignConstraints(
                clusterSoak,
                weight,
                dependsOn,
                windows,
                cohortRule,
                expectedContentHash,
                domainCaps,
                allowed,
                strict,
                drainMode);
    }

    /** Returns a copy with this drain mode; null for the setting of each site's worker. */
    public CampaignConstraints withDrainMode(@Nullable DrainMode mode) {
        return new CampaignConstraints(
                clusterSoak,
                weight,
                dependsOn,
                windows,
                cohortRule,
                expectedContentHash,
                domainCaps,
                allowDowngrade,
                strict,
                mode);
    }

    /** Returns a copy that is strict: a quarantined machine stops further starts in its cluster. */
    public CampaignConstraints strict(boolean stops) {
        return new CampaignConstraints(
                clusterSoak,
                weight,
                dependsOn,
                windows,
                cohortRule,
                expectedContentHash,
                domainCaps,
                allowDowngrade,
                stops,
                drainMode);
    }
}
