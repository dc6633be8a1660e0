package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/**
 * What the orchestrator tells a site's watcher.
 *
 * @param acceptedRemoval the id of the order that accepted a mass removal: its tombstones may now be written
 * @param writtenOffBelow open attempts with a lower number are written off; zero for none
 * @param writeOffOrder the id of the order that wrote them off
 */
public record SiteStatus(
        SiteId site,
        @Nullable String acceptedRemoval,
        long writtenOffBelow,
        @Nullable String writeOffOrder) implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.STATUS, site);
    }
}
