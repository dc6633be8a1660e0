package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy.IntentRule;
import dev.flotilla.schemas.row.Policy.VersionRule;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What campaigns and annotations are bound by alike.
 *
 * @param inFlight how many of its machines may be in flight at once; null for no limit of its own
 * @param clusterInFlight how many machines of a cluster may be in flight at once; null for no limit of its own
 * @param maxUnavailable workers of a cluster that may be unavailable or in flight at once
 * @param windows when it may start machines; none for at any time
 * @param drain whether nodes are emptied before their calls; null for as each site's worker is set
 * @param versions which of the rules about versions do not hold
 * @param priority of those that want the same slot the highest goes first
 * @param weight its share of the slots among those of its priority
 */
public record RolloutRules(
        @Nullable Limit inFlight,
        @Nullable Limit clusterInFlight,
        Limit maxUnavailable,
        boolean controlPlaneFirst,
        RetryRule retries,
        List<Window> windows,
        @Nullable DrainMode drain,
        VersionRule versions,
        int priority,
        int weight) {

    static RolloutRules of(CampaignSpec spec) {
        return new RolloutRules(
                spec.inFlight(),
                spec.clusterInFlight(),
                spec.maxUnavailable(),
                spec.controlPlaneFirst(),
                spec.retries(),
                spec.terms().windows(),
                spec.terms().drain(),
                new VersionRule(spec.terms().allowDowngrade(), false),
                spec.priority(),
                spec.terms().weight());
    }

    static RolloutRules of(IntentRule rule) {
        return new RolloutRules(
                rule.inFlight(),
                rule.clusterInFlight(),
                rule.maxUnavailable(),
                true,
                rule.retries(),
                rule.windows(),
                rule.drain(),
                rule.versions(),
                rule.priority(),
                Terms.USUAL_WEIGHT);
    }
}
