package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the orchestrator tells a site's watcher.
 *
 * @param acceptedRemoval the id of the order that accepted a mass removal: its tombstones may now be written
 * @param writtenOffBelow open attempts with a lower number are written off; zero for none. Said by earlier versions: now
 *     the site's head row says it
 * @param writeOffOrder the id of the order that wrote them off, likewise
 * @param localPaths directories below which an annotation of this site may point, as the policies say
 */
public record SiteStatus(
        SiteId site,
        @Nullable String acceptedRemoval,
        long writtenOffBelow,
        @Nullable String writeOffOrder,
        List<String> localPaths)
        implements Row {
    public SiteStatus {
        localPaths = List.copyOf(localPaths);
    }

    /** Of a site of which nothing was said yet. */
    public static SiteStatus of(SiteId site) {
        return new SiteStatus(site, null, 0, null, List.of());
    }

    public SiteStatus withAcceptedRemoval(String order) {
        return new SiteStatus(site, order, writtenOffBelow, writeOffOrder, localPaths);
    }

    public SiteStatus withLocalPaths(List<String> now) {
        return new SiteStatus(site, acceptedRemoval, writtenOffBelow, writeOffOrder, now);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.STATUS, site);
    }
}
