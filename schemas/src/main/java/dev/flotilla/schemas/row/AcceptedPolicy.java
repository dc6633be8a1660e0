package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;

/** The newest policy of a scope that could be read: what holds while a later one cannot. */
public record AcceptedPolicy(Policy policy) implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.CAMPAIGN_STATUS, policy.scope());
    }
}
