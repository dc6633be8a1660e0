package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;

/**
 * What the orchestrator tells a site's watcher.
 *
 * @param acceptedRemoval the id of the order that accepted a mass removal: its tombstones may now be written
 */
public record SiteStatus(SiteId site, String acceptedRemoval) implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.STATUS, site);
    }
}
