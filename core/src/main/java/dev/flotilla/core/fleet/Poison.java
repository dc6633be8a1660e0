package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Topic;
import org.jspecify.annotations.Nullable;

/** What an unreadable record would have been about, as far as that closes something. */
final class Poison {
    private Poison() {}

    /** The row that cannot be read; null where that closes nothing. */
    static @Nullable RowKey place(RejectedKey at) {
        Topic topic = Topic.parse(at.topic());
        Key key = topic == null ? null : Keys.parse(topic, at.key());
        if (topic == null || key == null) {
            return null;
        }
        boolean closes = switch (topic.table()) {
            case INVENTORY -> key instanceof MachineKey || key instanceof ClusterKey;
            case POLICIES -> true;
            case ORDERS ->
                key instanceof OrderKey.State
                        || key instanceof OrderKey.FleetFreeze
                        || key instanceof OrderKey.SiteFreeze;
            case INTENTS, STATUS, COMMANDS, PROGRESS, CAMPAIGNS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER ->
                false;
        };
        return closes ? new RowKey(topic.table(), key) : null;
    }
}
