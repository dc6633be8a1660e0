package dev.flotilla.cli.campaign;

import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the caps that a policy in force loses when another takes its place. */
final class RemovedCapFinder {
    private static final String NO_INTENT_CAP = "annotations have no cap of their own";

    private final List<String> removed = new ArrayList<>();

    private RemovedCapFinder() {}

    /**
     * Describes each cap that is gone, and what limits instead; empty for none.
     *
     * @param before the policy in force for the scope; null for none
     * @param fleet the policy of the fleet in force
     */
    static List<String> describe(@Nullable UpgradePolicy before, UpgradePolicy after, @Nullable UpgradePolicy fleet) {
        RemovedCapFinder finder = new RemovedCapFinder();
        if (!(after.scope() instanceof FleetScope)) {
            if (before != null) {
                finder.compareSite(before, after, fleet);
            }
            finder.compareIntents(
                    SiteIntentsRollout.rule(fleet, before),
                    SiteIntentsRollout.rule(fleet, after),
                    describeSiteIntents(before, after, fleet));
        } else if (before != null) {
            finder.compareFleet(before, after);
            finder.compareIntents(
                    SiteIntentsRollout.rule(before, null), SiteIntentsRollout.rule(after, null), NO_INTENT_CAP);
        }
        return List.copyOf(finder.removed);
    }

    private void compareFleet(UpgradePolicy before, UpgradePolicy after) {
        compare(
                "caps.inFlight",
                before.maxInFlight(),
                after.maxInFlight(),
                "the fleet has no cap on machines in flight");
        compare(
                "caps.siteInFlight",
                before.maxInFlightPerSite(),
                after.maxInFlightPerSite(),
                "a site whose policy has no caps.inFlight has no cap of its own");
        compare(
                "caps.prefetch",
                before.prefetchCaps().maxPreparing(),
                after.prefetchCaps().maxPreparing(),
                "the fleet has no cap on machines that prepare");
        compare(
                "caps.sitePrefetch",
                before.prefetchCaps().maxPreparingPerSite(),
                after.prefetchCaps().maxPreparingPerSite(),
                "in a site whose policy has no caps.prefetch, " + PrefetchCaps.DEFAULT_PER_SITE
                        + " machines prepare at once at most");
    }

    private void compareSite(UpgradePolicy before, UpgradePolicy after, @Nullable UpgradePolicy fleet) {
        CountOrPercent inFlight = fleet == null ? null : fleet.maxInFlightPerSite();
        CountOrPercent prefetch = fleet == null ? null : fleet.prefetchCaps().maxPreparingPerSite();
        compare(
                "caps.inFlight",
                before.maxInFlight(),
                after.maxInFlight(),
                inFlight == null
                        ? "the site has no cap of its own"
                        : "the fleet's caps.siteInFlight of " + inFlight + " holds");
        compare(
                "caps.prefetch",
                before.prefetchCaps().maxPreparing(),
                after.prefetchCaps().maxPreparing(),
                prefetch == null
                        ? PrefetchCaps.DEFAULT_PER_SITE + " machines of the site prepare at once at most"
                        : "the fleet's caps.sitePrefetch of " + prefetch + " holds");
    }

    /** A site's own rules for annotations take the place of the fleet's as a whole. */
    private static String describeSiteIntents(
            @Nullable UpgradePolicy before, UpgradePolicy after, @Nullable UpgradePolicy fleet) {
        if (after.intentRule() == null) {
            return fleet != null && fleet.intentRule() != null
                    ? "the fleet's rules for annotations hold"
                    : NO_INTENT_CAP;
        }
        return before != null && before.intentRule() != null
                ? NO_INTENT_CAP
                : "its own spec.intents takes the place of the fleet's, and " + NO_INTENT_CAP;
    }

    private void compareIntents(UpgradePolicy.IntentRule was, UpgradePolicy.IntentRule is, String instead) {
        compare("intents.inFlight", was.maxInFlight(), is.maxInFlight(), instead);
        compare("intents.clusterInFlight", was.maxInFlightPerCluster(), is.maxInFlightPerCluster(), instead);
    }

    private void compare(String path, @Nullable CountOrPercent was, @Nullable CountOrPercent is, String instead) {
        if (was != null && is == null) {
            removed.add("no longer has spec." + path + ", which was " + was + ": " + instead);
        }
    }
}
