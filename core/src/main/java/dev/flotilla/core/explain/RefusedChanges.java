package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;

/**
 * Changes that were refused for what they ask, while what was accepted before them is in force, and orders that were refused:
 * whoever gave them was told, and nobody has to be alarmed.
 */
public final class RefusedChanges {
    private RefusedChanges() {}

    /** How many of the rejected records are such changes. */
    public static int count(FleetState state) {
        int count = 0;
        for (Rejected row : state.rejected()) {
            count += row.readable() && isInForce(state, row) ? 1 : 0;
        }
        return count;
    }

    /** Whether anything that was accepted under its key before is in force. */
    private static boolean isInForce(FleetState state, Rejected row) {
        Topic topic = Topic.parse(row.key().topic());
        if (topic == null) {
            return false;
        }
        Key key = Keys.parse(topic, row.key().key());
        if (key == null) {
            return false;
        }
        return switch (key) {
            case CampaignName campaign -> state.rollout(campaign) != null;
            case Scope scope -> topic.table() == Table.POLICIES && state.policy(scope) != null;
            case OrderKey order -> true;
            default -> false;
        };
    }
}
