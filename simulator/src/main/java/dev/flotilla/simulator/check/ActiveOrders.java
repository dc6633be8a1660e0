package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
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
final class ActiveOrders {
    /** The newest readable state order of a campaign, by the uid that it names. */
    private final Map<StateOf, OperatorOrder.OrderVerb> states = new HashMap<>();

    /** The newest order under each key of a freeze that is one, or that lifts it. */
    private final Map<RowKey, OperatorOrder> freezes = new HashMap<>();

    /** Where somebody lifts a freeze in the auditor's name, which freezes rather than that it lifts anything. */
    private final Set<RowKey> inTheAuditorsName = new HashSet<>();

    private record StateOf(CampaignName campaign, long uid) {}

    void applyOrder(@Nullable RowChange rowChange) {
        if (rowChange instanceof Tombstone tombstone) {
            OperatorOrder known = freezes.get(tombstone.rowKey());
            if (known != null && known.verb() == OperatorOrder.OrderVerb.UNFREEZE) {
                freezes.remove(tombstone.rowKey());
            }
        }
        if (!(rowChange instanceof OperatorOrder order)) {
            return;
        }
        Long uid = order.campaignUid();
        if (order.key() instanceof OperatorOrderKey.SetCampaignState state
                && uid != null
                && order.table() == Table.ORDERS) {
            states.put(new StateOf(state.campaign(), uid), order.verb());
        } else if (order.key() instanceof OperatorOrderKey.FreezeFleet
                || order.key() instanceof OperatorOrderKey.FreezeSite) {
            if (order.claimsToBeAuditor()) {
                inTheAuditorsName.add(order.rowKey());
            } else {
                inTheAuditorsName.remove(order.rowKey());
            }
            if (order.verb() == OperatorOrder.OrderVerb.FREEZE
                    || !order.requestedBy().equals(OperatorOrder.AUDITOR)) {
                freezes.put(order.rowKey(), order);
            }
        }
    }

    OperatorOrder.@Nullable OrderVerb state(CampaignName campaign, long uid) {
        return states.get(new StateOf(campaign, uid));
    }

    boolean isFrozen(SiteId site) {
        return freezes.keySet().stream()
                .anyMatch(at -> (at.key() instanceof OperatorOrderKey.FreezeFleet
                                || at.key().equals(new OperatorOrderKey.FreezeSite(site)))
                        && holds(at));
    }

    /** Whether nothing may start in a site for all that is known: it is frozen, or who has no right to says that it is not. */
    boolean mayBeFrozen(SiteId site) {
        return isFrozen(site)
                || inTheAuditorsName.stream()
                        .anyMatch(at -> at.key() instanceof OperatorOrderKey.FreezeFleet
                                || at.key().equals(new OperatorOrderKey.FreezeSite(site)));
    }

    /** The places of the freezes that hold. */
    List<RowKey> frozen() {
        return freezes.keySet().stream().filter(this::holds).toList();
    }

    boolean holds(RowKey at) {
        OperatorOrder freeze = freezes.get(at);
        OperatorOrder lifting = freezes.get(new RowKey(Table.FREEZES, at.key()));
        boolean lifted = lifting != null
                && lifting.verb() == OperatorOrder.OrderVerb.UNFREEZE
                && freeze != null
                && lifting.liftedFreezes().contains(freeze.id());
        return freeze != null && freeze.verb() == OperatorOrder.OrderVerb.FREEZE && !lifted;
    }
}
