package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;

/** The newest policy of a scope that could be read: what holds while a later one cannot. */
public record LastAcceptedPolicy(UpgradePolicy policy) implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGN_STATUS, policy.scope());
    }
}
