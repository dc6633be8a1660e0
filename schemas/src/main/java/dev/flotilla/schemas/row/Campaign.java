package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;

/** A campaign as an operator wrote it. */
public record Campaign(CampaignName name, Labels labels, CampaignSpec spec) implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.CAMPAIGNS, name);
    }
}
