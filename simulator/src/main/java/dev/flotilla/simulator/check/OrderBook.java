package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Order;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What stands ordered, by the orders' own records in the order in which they came. A tombstone lifts and resumes nothing. */
final class OrderBook {
    /** The newest readable state order of a campaign, by the uid that it names. */
    private final Map<StateOf, Order.Verb> states = new HashMap<>();

    private final Set<OrderKey> frozen = new HashSet<>();

    private record StateOf(CampaignName campaign, long uid) {}

    void take(@Nullable Fact fact) {
        if (!(fact instanceof Order order)) {
            return;
        }
        Long uid = order.campaignUid();
        if (order.key() instanceof OrderKey.State state && uid != null) {
            states.put(new StateOf(state.campaign(), uid), order.verb());
        } else if (order.key() instanceof OrderKey.FleetFreeze || order.key() instanceof OrderKey.SiteFreeze) {
            if (order.verb() == Order.Verb.FREEZE) {
                frozen.add(order.key());
            } else if (!order.who().equals(Order.AUDITOR)) {
                frozen.remove(order.key());
            }
        }
    }

    Order.@Nullable Verb state(CampaignName campaign, long uid) {
        return states.get(new StateOf(campaign, uid));
    }

    boolean isFrozen(SiteId site) {
        return frozen.contains(new OrderKey.FleetFreeze()) || frozen.contains(new OrderKey.SiteFreeze(site));
    }

    Set<OrderKey> frozen() {
        return frozen;
    }
}
