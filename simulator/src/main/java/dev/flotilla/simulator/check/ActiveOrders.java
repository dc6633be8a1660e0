package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The orders that are in effect, computed from the order records in the order in which they arrived. A tombstone lifts
 * no freeze and resumes no campaign. A freeze in a table other than {@code freezes} holds until an order to unfreeze
 * names its id, and holds again when that order is removed.
 */
final class ActiveOrders {
    /** The newest readable state order of a campaign, by the campaign uid that it names. */
    private final Map<CampaignUid, OperatorOrder.OrderVerb> states = new HashMap<>();

    /** The newest order under each freeze key that is a freeze or lifts one. */
    private final Map<RowKey, OperatorOrder> freezes = new HashMap<>();

    /** Keys of orders that use the auditor's name without the right to; they freeze instead of lifting anything. */
    private final Set<RowKey> unauthorizedAuditorOrders = new HashSet<>();

    private record CampaignUid(CampaignName campaign, long uid) {}

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
            states.put(new CampaignUid(state.campaign(), uid), order.verb());
        } else if (order.key() instanceof OperatorOrderKey.FreezeFleet
                || order.key() instanceof OperatorOrderKey.FreezeSite) {
            if (order.claimsToBeAuditor()) {
                unauthorizedAuditorOrders.add(order.rowKey());
            } else {
                unauthorizedAuditorOrders.remove(order.rowKey());
            }
            if (order.verb() == OperatorOrder.OrderVerb.FREEZE
                    || !order.requestedBy().equals(OperatorOrder.AUDITOR)) {
                freezes.put(order.rowKey(), order);
            }
        }
    }

    OperatorOrder.@Nullable OrderVerb state(CampaignName campaign, long uid) {
        return states.get(new CampaignUid(campaign, uid));
    }

    boolean isFrozen(SiteId site) {
        return freezes.keySet().stream()
                .anyMatch(at -> (at.key() instanceof OperatorOrderKey.FreezeFleet
                                || at.key().equals(new OperatorOrderKey.FreezeSite(site)))
                        && isInEffect(at));
    }

    /** Whether nothing may start in a site: it is frozen, or an order without the right to lifts a freeze. */
    boolean mayBeFrozen(SiteId site) {
        return isFrozen(site)
                || unauthorizedAuditorOrders.stream()
                        .anyMatch(at -> at.key() instanceof OperatorOrderKey.FreezeFleet
                                || at.key().equals(new OperatorOrderKey.FreezeSite(site)));
    }

    /** The row keys of the freezes in effect. */
    List<RowKey> freezesInEffect() {
        return freezes.keySet().stream().filter(this::isInEffect).toList();
    }

    boolean isInEffect(RowKey at) {
        OperatorOrder freeze = freezes.get(at);
        OperatorOrder lifting = freezes.get(new RowKey(Table.FREEZES, at.key()));
        boolean lifted = lifting != null
                && lifting.verb() == OperatorOrder.OrderVerb.UNFREEZE
                && freeze != null
                && lifting.liftedFreezes().contains(freeze.id());
        return freeze != null && freeze.verb() == OperatorOrder.OrderVerb.FREEZE && !lifted;
    }
}
