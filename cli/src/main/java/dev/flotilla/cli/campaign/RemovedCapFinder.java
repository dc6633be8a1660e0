package dev.flotilla.cli.campaign;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the caps that a policy in force loses when another takes its place. */
final class RemovedCapFinder {
    private final List<String> removed = new ArrayList<>();

    private RemovedCapFinder() {}

    /**
     * Describes each cap that is gone, and what limits instead; empty for none.
     *
     * @param before the policy in force for the scope
     * @param fleet the policy of the fleet in force
     */
    static List<String> describe(UpgradePolicy before, UpgradePolicy after, @Nullable UpgradePolicy fleet) {
        RemovedCapFinder finder = new RemovedCapFinder();
        if (after.scope() instanceof FleetScope) {
            finder.compareFleet(before, after);
        } else {
            finder.compareSite(before, after, fleet);
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
        compareIntents(before, after, "annotations have no cap of their own");
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
        boolean fallsBack = after.intentRule() == null && fleet != null && fleet.intentRule() != null;
        compareIntents(
                before,
                after,
                fallsBack ? "the fleet's rules for annotations hold" : "annotations have no cap of their own");
    }

    private void compareIntents(UpgradePolicy before, UpgradePolicy after, String instead) {
        UpgradePolicy.IntentRule was = before.intentRule();
        UpgradePolicy.IntentRule is = after.intentRule();
        if (was != null) {
            compare("intents.inFlight", was.maxInFlight(), is == null ? null : is.maxInFlight(), instead);
            compare(
                    "intents.clusterInFlight",
                    was.maxInFlightPerCluster(),
                    is == null ? null : is.maxInFlightPerCluster(),
                    instead);
        }
    }

    private void compare(String path, @Nullable CountOrPercent was, @Nullable CountOrPercent is, String instead) {
        if (was != null && is == null) {
            removed.add("no longer has spec." + path + ", which was " + was + ": " + instead);
        }
    }
}
