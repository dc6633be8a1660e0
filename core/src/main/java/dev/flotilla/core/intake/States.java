package dev.flotilla.core.intake;

import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CampaignStatus.AppliedOrder;
import dev.flotilla.schemas.row.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    /** With an order noted as applied. */
    static CampaignStatus applied(CampaignStatus before, String order, String id) {
        List<AppliedOrder> orders = new ArrayList<>(before.appliedOrders().size() + 1);
        for (AppliedOrder known : before.appliedOrders()) {
            if (!known.order().equals(order)) {
                orders.add(known);
            }
        }
        orders.add(new AppliedOrder(order, id));
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
