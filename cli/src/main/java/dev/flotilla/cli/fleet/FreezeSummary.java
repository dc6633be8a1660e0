package dev.flotilla.cli.fleet;

import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All freezes in force, each with its author and reason.
 *
 * @param fleet why the whole fleet is frozen; empty if it is not
 * @param sites why single sites are frozen
 */
record FreezeSummary(List<String> fleet, SortedMap<SiteId, List<String>> sites) {
    static FreezeSummary of(FleetState state) {
        UpgradePolicy policy = state.policy(FleetScope.FLEET);
        List<String> fleet = describeFreezes(
                state.orders().allFreezes(new OperatorOrderKey.FreezeFleet()), policy, "fleet unfreeze");
        if (policy == null) {
            fleet.add("the fleet has no policy");
        }
        SortedMap<SiteId, List<String>> sites = new TreeMap<>();
        state.sites().forEach(site -> sites.put(site.id(), List.of()));
        state.orders().all().forEach(order -> {
            if (order.key() instanceof OperatorOrderKey.FreezeSite freeze) {
                sites.put(freeze.site(), List.of());
            }
        });
        sites.replaceAll((site, none) -> describeFreezes(
                state.orders().allFreezes(new OperatorOrderKey.FreezeSite(site)),
                state.policy(site),
                "site unfreeze " + site));
        sites.values().removeIf(List::isEmpty);
        return new FreezeSummary(fleet, sites);
    }

    private static List<String> describeFreezes(
            List<OperatorOrder> orders, @Nullable UpgradePolicy policy, String unfreeze) {
        List<String> freezes = new ArrayList<>();
        for (OperatorOrder order : orders) {
            freezes.add("by order of " + order.requestedBy() + ": " + order.reason()
                    + (order.table() == order.key().table()
                            ? ""
                            : " (on " + Topic.of(order.table()) + "; lift it with `flotilla " + unfreeze
                                    + " --unfreeze-id " + order.id() + " --reason TEXT`)"));
        }
        if (policy != null && policy.frozen()) {
            freezes.add("by policy" + (policy.frozenReason() == null ? "" : ": " + policy.frozenReason()));
        }
        return freezes;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        fleet.forEach(freeze -> lines.add("frozen: " + freeze));
        sites.forEach((site, freezes) -> freezes.forEach(freeze -> lines.add("site " + site + " frozen: " + freeze)));
        return lines;
    }

    /** Adds the freezes of the fleet as one text, null for none, and those of the sites as lists. */
    void addTo(JsonObjectReader.Builder json) {
        JsonObjectReader.Builder frozenSites = new JsonObjectReader.Builder();
        sites.forEach((site, freezes) -> frozenSites.put(site.name(), JsonFormatter.texts(freezes)));
        json.put("frozen", JsonFormatter.text(fleet.isEmpty() ? null : String.join("; ", fleet)))
                .put("frozenSites", frozenSites.build());
    }
}
