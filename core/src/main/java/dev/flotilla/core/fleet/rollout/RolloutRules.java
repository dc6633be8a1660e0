package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradePolicy.VersionRuleExemptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What campaigns and annotations are bound by alike.
 *
 * @param maxInFlight how many of its machines may be in flight at once; null for no limit of its own
 * @param maxInFlightPerCluster how many machines of a cluster may be in flight at once; null for no limit of its own
 * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
 * @param windows when it may start machines; none for at any time
 * @param drainMode whether nodes are emptied before their calls; null for as each site's worker is set
 * @param versionExemptions which of the rules about versions do not hold
 * @param priority of those that want the same slot the highest goes first
 * @param weight its share of the slots among those of its priority
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
                spec.maxInFlight(),
                spec.maxInFlightPerCluster(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retryRule(),
                spec.constraints().windows(),
                spec.constraints().drainMode(),
                new VersionRuleExemptions(spec.constraints().allowDowngrade(), false),
                spec.priority(),
                spec.constraints().weight());
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
                CampaignConstraints.DEFAULT_WEIGHT);
    }
}
