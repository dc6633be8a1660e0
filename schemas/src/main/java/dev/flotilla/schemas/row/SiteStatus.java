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
 * @param waiting what keeps all annotations of this site waiting: the label of a gate, and what it says; null for nothing
 */
public record SiteStatus(
        SiteId site,
        @Nullable String acceptedRemoval,
        long writtenOffBelow,
        @Nullable String writeOffOrder,
        List<String> localPaths,
        @Nullable String waiting)
        implements Row {
    public static final int MAX_WAITING = 1024;

    public SiteStatus {
        localPaths = List.copyOf(localPaths);
        waiting = waiting == null || waiting.length() <= MAX_WAITING ? waiting : waiting.substring(0, MAX_WAITING);
    }

    /** Of a site of which nothing was said yet. */
    public static SiteStatus of(SiteId site) {
        return new SiteStatus(site, null, 0, null, List.of(), null);
    }

    public SiteStatus withAcceptedRemoval(String order) {
        return new SiteStatus(site, order, writtenOffBelow, writeOffOrder, localPaths, waiting);
    }

    public SiteStatus withLocalPaths(List<String> now) {
        return with(now, waiting);
    }

    /** The same with what its annotations may ask for, and what keeps them waiting. */
    public SiteStatus with(List<String> paths, @Nullable String waitsFor) {
        return new SiteStatus(site, acceptedRemoval, writtenOffBelow, writeOffOrder, paths, waitsFor);
    }

    @Override
    public RowKey at() {
        return new RowKey(Table.STATUS, site);
    }
}
