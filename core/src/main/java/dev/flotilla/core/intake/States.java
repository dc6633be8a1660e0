package dev.flotilla.core.intake;

import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Wave;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A campaign's status row with something changed. */
public final class States {
    private States() {}

    /** In another run state. */
    public static CampaignStatus of(CampaignStatus before, RunState state, @Nullable String reason, Instant since) {
        return new CampaignStatus(
                before.name(),
                before.uid(),
                before.accepted(),
                state,
                reason,
                since,
                before.learned(),
                before.retriedBelow(),
                before.appliedOrders(),
                before.approvals());
    }

    /**
     * With an order noted as applied. Approvals of waves that are no more are forgotten: so the notes are never more than the
     * waves that a campaign may have and its other orders, however often somebody edits it.
     */
    static CampaignStatus applied(CampaignStatus before, OrderKey order, String id) {
        Set<String> kept = new LinkedHashSet<>();
        kept.add(new OrderKey.State(before.name()).toString());
        kept.add(new OrderKey.Retry(before.name()).toString());
        kept.add(new OrderKey.Overlap(before.name()).toString());
        for (Wave wave : before.accepted().spec().waves()) {
            kept.add(new OrderKey.Approve(before.name(), wave.name()).toString());
        }
        List<AppliedOrder> orders = new ArrayList<>(before.appliedOrders().size() + 1);
        for (AppliedOrder known : before.appliedOrders()) {
            if (kept.contains(known.order()) && !known.order().equals(order.toString())) {
                orders.add(known);
            }
        }
        orders.add(new AppliedOrder(order.toString(), id));
        return new CampaignStatus(
                before.name(),
                before.uid(),
                before.accepted(),
                before.state(),
                before.pauseReason(),
                before.since(),
                before.learned(),
                before.retriedBelow(),
                orders,
                before.approvals());
    }

    /** With another round for what was quarantined before a number. */
    static CampaignStatus retried(CampaignStatus before, long below) {
        return new CampaignStatus(
                before.name(),
                before.uid(),
                before.accepted(),
                before.state(),
                before.pauseReason(),
                before.since(),
                before.learned(),
                below,
                before.appliedOrders(),
                before.approvals());
    }
}
