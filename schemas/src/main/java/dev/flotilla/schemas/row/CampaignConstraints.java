package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign is bound by besides its own waves, caps and budget.
 *
 * @param clusterSoak how long a cluster rests between one machine's success and the next start
 * @param weight its share of the slots among campaigns of equal priority
 * @param dependsOn campaigns that must have succeeded so far before it starts anything
 * @param windows when it may start machines; none for at any time
 * @param cohortRule when one kind of machine is closed; null for never
 * @param expectedContentHash the edition that this is an edit of: of any other it is none; null where nobody minds
 * @param domainCaps how many of its machines may be in flight at once of those that share a value of a label
 * @param allowDowngrade whether a machine that shows a higher version may be brought to the target
 * @param strict whether nothing more is started in a cluster one of whose machines was given up on
 * @param drainMode whether nodes are emptied before their calls; null for as each site's worker is set
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
    public static final int USUAL_WEIGHT = 100;

    public static final CampaignConstraints NONE =
            new CampaignConstraints(Duration.ZERO, USUAL_WEIGHT, List.of(), List.of());

    /** Another campaign, and how many of a hundred of its machines must have succeeded. */
    public record CampaignDependency(CampaignName campaign, int successPercent) {}

    public CampaignConstraints {
        dependsOn = List.copyOf(dependsOn);
        windows = List.copyOf(windows);
        domainCaps = List.copyOf(domainCaps);
    }

    /** Terms that edit whatever there is. */
    public CampaignConstraints(
            Duration settle,
            int weight,
            List<CampaignDependency> dependsOn,
            List<MaintenanceWindow> windows,
            @Nullable FailureCohortRule cohorts) {
        this(settle, weight, dependsOn, windows, cohorts, null, List.of(), false, false, null);
    }

    /** Terms by which no kind of machine is closed. */
    public CampaignConstraints(
            Duration settle, int weight, List<CampaignDependency> dependsOn, List<MaintenanceWindow> windows) {
        this(settle, weight, dependsOn, windows, null);
    }

    /** Terms without windows. */
    public CampaignConstraints(Duration settle, int weight, List<CampaignDependency> dependsOn) {
        this(settle, weight, dependsOn, List.of());
    }

    /** The same as an edit of an edition; null for of any. */
    public CampaignConstraints expectedContentHash(@Nullable String edition) {
        return new CampaignConstraints(
                clusterSoak,
                weight,
                dependsOn,
                windows,
                cohortRule,
                edition,
                domainCaps,
                allowDowngrade,
                strict,
                drainMode);
    }

    /** The same with these caps for each value of a label. */
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

    /** The same, and machines may go back to an older version. */
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

    /** The same, and nodes are emptied so; null for as each site's worker is set. */
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

    /** The same, and a cluster stops where a machine was given up on. */
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
