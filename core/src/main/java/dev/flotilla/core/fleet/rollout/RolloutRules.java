package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.VersionRuleExemptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to campaigns and intents alike.
 *
 * @param maxInFlight cap on its machines in flight; null for no cap of its own
 * @param maxInFlightPerCluster cap on machines in flight in a cluster; null for no cap of its own
 * @param maxUnavailable maximum number of workers of a cluster that are unavailable or in flight
 * @param windows when it may start machines; empty for any time
 * @param drainMode whether nodes are drained before their calls; null for the setting of each site's worker
 * @param versionExemptions the version rules that do not apply
 * @param priority the highest goes first
 * @param weight its weight among rollouts of equal priority
 */
public record RolloutRules(
        @Nullable CountOrPercent maxInFlight,
        @Nullable CountOrPercent maxInFlightPerCluster,
        CountOrPercent maxUnavailable,
        boolean controlPlaneFirst,
        RetryRule retryRule,
        List<MaintenanceWindow> windows,
        @Nullable DrainMode drainMode,
        VersionRuleExemptions versionExemptions,
        int priority,
        int weight) {

    static RolloutRules of(CampaignSpec spec) {
        return new RolloutRules(
                spec.caps().maxInFlight(),
                spec.cluster().maxInFlight(),
                spec.cluster().maxUnavailable(),
                spec.cluster().controlPlaneFirst(),
                spec.retries(),
                spec.windows(),
                spec.drain(),
                new VersionRuleExemptions(spec.target().allowDowngrade(), false),
                spec.priority(),
                spec.weight());
    }

    static RolloutRules of(IntentRule rule) {
        return new RolloutRules(
                rule.maxInFlight(),
                rule.maxInFlightPerCluster(),
                rule.maxUnavailable(),
                true,
                rule.retryRule(),
                rule.windows(),
                rule.drainMode(),
                rule.versions(),
                rule.priority(),
                CampaignSpec.DEFAULT_WEIGHT);
    }

    /**
     * How many workers of a cluster may be unavailable or in flight. At least 1, also in a cluster whose workers are not
     * known, because otherwise no worker could ever start there.
     */
    public int maxUnavailableIn(@Nullable ClusterState cluster) {
        return maxUnavailable.of(cluster == null ? 0 : cluster.workers());
    }
}
