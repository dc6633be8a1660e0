package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.topic.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands ordered, by the orders' own records in the order in which they came. A tombstone lifts and resumes nothing, and a freeze
 * on another table than that of freezes stands until an order to unfreeze names its id, and again when that order is taken out.
 */
final class OrderBook {
    /** The newest readable state order of a campaign, by the uid that it names. */
    private final Map<StateOf, Order.Verb> states = new HashMap<>();

    /** The newest order under each key of a freeze that is one, or that lifts it. */
    private final Map<RowKey, Order> freezes = new HashMap<>();

    /** Where somebody lifts a freeze in the auditor's name, which freezes rather than that it lifts anything. */
    private final Set<RowKey> inTheAuditorsName = new HashSet<>();

    private record StateOf(CampaignName campaign, long uid) {}

    void take(@Nullable Fact fact) {
        if (fact instanceof Gone gone) {
            Order known = freezes.get(gone.at());
            if (known != null && known.verb() == Order.Verb.UNFREEZE) {
                freezes.remove(gone.at());
            }
        }
        if (!(fact instanceof Order order)) {
            return;
        }
        Long uid = order.campaignUid();
        if (order.key() instanceof OrderKey.State state && uid != null && order.table() == Table.ORDERS) {
            states.put(new StateOf(state.campaign(), uid), order.verb());
        } else if (order.key() instanceof OrderKey.FleetFreeze || order.key() instanceof OrderKey.SiteFreeze) {
            if (order.isInTheAuditorsName()) {
                inTheAuditorsName.add(order.at());
            } else {
                inTheAuditorsName.remove(order.at());
            }
            if (order.verb() == Order.Verb.FREEZE || !order.who().equals(Order.AUDITOR)) {
                freezes.put(order.at(), order);
            }
        }
    }

    Order.@Nullable Verb state(CampaignName campaign, long uid) {
        return states.get(new StateOf(campaign, uid));
    }

    boolean isFrozen(SiteId site) {
        return freezes.keySet().stream()
                .anyMatch(at ->
                        (at.key() instanceof OrderKey.FleetFreeze || at.key().equals(new OrderKey.SiteFreeze(site)))
                                && holds(at));
    }

    /** Whether nothing may start in a site for all that is known: it is frozen, or who has no right to says that it is not. */
    boolean mayBeFrozen(SiteId site) {
        return isFrozen(site)
                || inTheAuditorsName.stream()
                        .anyMatch(at -> at.key() instanceof OrderKey.FleetFreeze
                                || at.key().equals(new OrderKey.SiteFreeze(site)));
    }

    /** The places of the freezes that hold. */
    List<RowKey> frozen() {
        return freezes.keySet().stream().filter(this::holds).toList();
    }

    boolean holds(RowKey at) {
        Order freeze = freezes.get(at);
        Order lifting = freezes.get(new RowKey(Table.FREEZES, at.key()));
        boolean lifted = lifting != null
                && lifting.verb() == Order.Verb.UNFREEZE
                && freeze != null
                && lifting.lifts().contains(freeze.id());
        return freeze != null && freeze.verb() == Order.Verb.FREEZE && !lifted;
    }
}
