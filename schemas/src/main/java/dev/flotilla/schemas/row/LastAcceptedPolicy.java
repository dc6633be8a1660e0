package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;

/** The newest accepted policy of a scope: it applies while a later one is unreadable. */
public record LastAcceptedPolicy(UpgradePolicy policy) implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGN_STATUS, policy.scope());
    }
}
