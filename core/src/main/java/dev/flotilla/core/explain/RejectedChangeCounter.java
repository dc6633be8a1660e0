package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;

/**
 * Counts rejected records that need no alarm: rejected orders, and rejected changes of something whose accepted version
 * stays in force. Their author was informed.
 */
public final class RejectedChangeCounter {
    private RejectedChangeCounter() {}

    /** How many rejected records are such changes. */
    public static int countRejectedChanges(FleetState state) {
        int count = 0;
        for (RejectedRecord row : state.rejected()) {
            count += row.readable() && isInForce(state, row) ? 1 : 0;
        }
        return count;
    }

    /** Whether an accepted row of the same key is in force, or the record is an order. */
    private static boolean isInForce(FleetState state, RejectedRecord row) {
        Topic topic = Topic.parse(row.key().topic());
        if (topic == null) {
            return false;
        }
        EntityKey key = RecordKeyFormat.parse(topic, row.key().key());
        if (key == null) {
            return false;
        }
        return switch (key) {
            case CampaignName campaign -> state.rollout(campaign) != null;
            case PolicyScope scope -> topic.table() == Table.POLICIES && state.policy(scope) != null;
            case OperatorOrderKey order -> true;
            default -> false;
        };
    }
}
