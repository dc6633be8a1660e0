package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.OperatorOrderTable;
import dev.flotilla.core.fleet.rollout.FreezeRule;
import dev.flotilla.core.fleet.rollout.RolloutTable;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The status rows of sites, with what the policies allow there and the gate that blocks all intents, and which of them are
 * out of date. One row for each site, however many machines wait.
 */
final class SiteStatusTable {
    private static final OperatorOrderKey FLEET_FREEZE = new OperatorOrderKey.FreezeFleet();

    private final FleetInventory inventory;
    private final Map<PolicyScope, UpgradePolicy> policies;
    private final OperatorOrderTable orders;
    private final RolloutTable rollouts;
    private final RejectedRecordTable rejected;
    private final TreeSet<SiteId> touched = new TreeSet<>(Comparator.comparing(SiteId::name));

    SiteStatusTable(
            FleetInventory inventory,
            Map<PolicyScope, UpgradePolicy> policies,
            OperatorOrderTable orders,
            RolloutTable rollouts,
            RejectedRecordTable rejected) {
        this.inventory = inventory;
        this.policies = policies;
        this.orders = orders;
        this.rollouts = rollouts;
        this.rejected = rejected;
    }

    /** Marks a site whose row, intents or policies have changed. */
    void touch(SiteId site) {
        touched.add(site);
    }

    /** Marks the sites that a new or removed order affects. */
    void touch(OperatorOrderKey order) {
        switch (order) {
            case OperatorOrderKey.FreezeFleet fleet ->
                touched.addAll(rollouts.intents().keySet());
            case OperatorOrderKey.FreezeSite one -> touched.add(one.site());
            default -> {
                // It does not appear in the row.
            }
        }
    }

    /** The first row that is out of date, as it must be; null for none. */
    @Nullable
    SiteStatus nextOutdated() {
        while (!touched.isEmpty()) {
            SiteId first = touched.first();
            SiteStatus current = inventory.site(first).status();
            SiteStatus due = statusOf(first, current);
            if (due != null && !rejected.isParked(first) && !due.equals(current)) {
                return due;
            }
            touched.remove(first);
        }
        return null;
    }

    private @Nullable SiteStatus statusOf(SiteId site, @Nullable SiteStatus current) {
        SiteIntentsRollout intents = rollouts.intents().get(site);
        String blockedReason = intents == null || intents.all().isEmpty() ? null : blockedReason(site);
        SiteAnnotationRules rules = annotationRules(site);
        boolean hasProviders =
                !rules.providerRules().isEmpty() && inventory.site(site).isRestored();
        return current == null && blockedReason == null && !hasProviders
                ? null
                : (current == null ? SiteStatus.of(site) : current).with(rules, blockedReason);
    }

    /** What the policies allow in a site. */
    SiteAnnotationRules annotationRules(SiteId site) {
        UpgradePolicy.IntentRule rule = SiteIntentsRollout.rule(policies.get(FleetScope.FLEET), policies.get(site));
        return new SiteAnnotationRules(
                rule.localPaths(),
                rule.targetPatterns(),
                inventory.machines().providerRules().rulesOf(site));
    }

    /** The gate that operators have closed for a whole site, the first in order. */
    private @Nullable String blockedReason(SiteId site) {
        UpgradePolicy fleet = policies.get(FleetScope.FLEET);
        OperatorOrder stop = orders.freeze(FLEET_FREEZE);
        if (fleet == null) {
            return "no-policy: There is no policy for the fleet";
        }
        if (FreezeRule.isFrozen(stop, fleet)) {
            return "freeze: " + FreezeRule.describe("The fleet", stop, fleet);
        }
        UpgradePolicy own = policies.get(site);
        OperatorOrder here = orders.freeze(new OperatorOrderKey.FreezeSite(site));
        return FreezeRule.isFrozen(here, own) ? "freeze: " + FreezeRule.describe("Site " + site, here, own) : null;
    }
}
