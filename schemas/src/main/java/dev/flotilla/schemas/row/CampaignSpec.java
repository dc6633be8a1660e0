package dev.flotilla.schemas.row;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a campaign upgrades, to which target and how: one component for each field of its document.
 *
 * @param waves in order; the last one takes the clusters that no other selects
 * @param failureBudget how many machines may fail before no more machines start; null for no budget
 * @param weight its share of the slots among campaigns of equal priority
 * @param windows when it may start machines; empty for any time
 * @param cohortCircuitBreaker when a failure cohort is closed; null for never
 * @param expectedContentHash the content hash of the campaign that this edit is based on; null if it applies to any
 * @param drain whether nodes are drained before their calls; null for the setting of each site's worker
 * @param deadline no machine starts and no call is made after it
 * @param checks what must hold before and after each call
 * @param clusterApi what it does in clusters whose machines Cluster API updates in place
 * @param preparation when its machines are prepared; null if they are not
 */
public record CampaignSpec(
        CampaignTarget target,
        MachineSelection select,
        List<Wave> waves,
        CampaignCaps caps,
        @Nullable FailureBudget failureBudget,
        int weight,
        List<CampaignDependency> dependsOn,
        List<MaintenanceWindow> windows,
        @Nullable FailureCohortRule cohortCircuitBreaker,
        @Nullable String expectedContentHash,
        @Nullable DrainMode drain,
        @Nullable Instant startAt,
        @Nullable Instant deadline,
        int priority,
        ClusterRules cluster,
        RetryRule retries,
        CampaignChecks checks,
        @Nullable PreparationRule preparation,
        ClusterApiRule clusterApi) {
    public static final int DEFAULT_WEIGHT = 100;

    public static final int DEFAULT_PRIORITY = 50;

    /** The waves of a campaign that specifies none. */
    public static final List<Wave> SINGLE_WAVE = List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100));

    public CampaignSpec {
        waves = List.copyOf(waves);
        dependsOn = List.copyOf(dependsOn);
        windows = List.copyOf(windows);
    }
}
