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
 * @param writtenOffBeforeAttempt open attempts with a lower number are written off; zero for none. Said by earlier versions: now
 *     the site's head row says it
 * @param writeOffOrder the id of the order that wrote them off, likewise
 * @param localPaths directories below which an annotation of this site may point, as the policies say
 * @param blockedReason what keeps all annotations of this site waiting: the label of a gate, and what it says; null for nothing
 */
public record SiteStatus(
        SiteId site,
        @Nullable String acceptedRemoval,
        long writtenOffBeforeAttempt,
        @Nullable String writeOffOrder,
        List<String> localPaths,
        @Nullable String blockedReason)
        implements TableRow {
    public static final int MAX_WAITING = 1024;

    public SiteStatus {
        localPaths = List.copyOf(localPaths);
        blockedReason = blockedReason == null || blockedReason.length() <= MAX_WAITING
                ? blockedReason
                : blockedReason.substring(0, MAX_WAITING);
    }

    /** Of a site of which nothing was said yet. */
    public static SiteStatus of(SiteId site) {
        return new SiteStatus(site, null, 0, null, List.of(), null);
    }

    public SiteStatus withAcceptedRemoval(String order) {
        return new SiteStatus(site, order, writtenOffBeforeAttempt, writeOffOrder, localPaths, blockedReason);
    }

    public SiteStatus withLocalPaths(List<String> now) {
        return with(now, blockedReason);
    }

    /** The same with what its annotations may ask for, and what keeps them waiting. */
    public SiteStatus with(List<String> paths, @Nullable String waitsFor) {
        return new SiteStatus(site, acceptedRemoval, writtenOffBeforeAttempt, writeOffOrder, paths, waitsFor);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, site);
    }
}
