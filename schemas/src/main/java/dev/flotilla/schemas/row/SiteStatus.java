package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The leader's instructions for a site's watcher.
 *
 * @param acceptedRemoval the id of the order that accepted a mass removal: the watcher may now write the tombstones
 * @param writtenOffBeforeAttempt open attempts with a lower id are written off; zero for none. Only earlier versions write it; now
 *     it is in the site's head row
 * @param writeOffOrder the id of the order that wrote them off; only earlier versions write it
 * @param localPaths directories below which the local path of an annotation in this site may point, from the policies
 * @param blockedReason why all annotations of this site wait: the label of the closed gate, and its message; null for nothing
 */
public record SiteStatus(
        SiteId site,
        @Nullable String acceptedRemoval,
        long writtenOffBeforeAttempt,
        @Nullable String writeOffOrder,
        List<String> localPaths,
        @Nullable String blockedReason)
        implements TableRow {
    public static final int MAX_BLOCKED_REASON = 1024;

    public SiteStatus {
        localPaths = List.copyOf(localPaths);
        blockedReason = blockedReason == null || blockedReason.length() <= MAX_BLOCKED_REASON
                ? blockedReason
                : blockedReason.substring(0, MAX_BLOCKED_REASON);
    }

    /** The status of a site without instructions. */
    public static SiteStatus of(SiteId site) {
        return new SiteStatus(site, null, 0, null, List.of(), null);
    }

    public SiteStatus withAcceptedRemoval(String order) {
        return new SiteStatus(site, order, writtenOffBeforeAttempt, writeOffOrder, localPaths, blockedReason);
    }

    public SiteStatus withLocalPaths(List<String> now) {
        return with(now, blockedReason);
    }

    /** Returns a copy with the allowed local paths and the reason why annotations wait. */
    public SiteStatus with(List<String> paths, @Nullable String waitsFor) {
        return new SiteStatus(site, acceptedRemoval, writtenOffBeforeAttempt, writeOffOrder, paths, waitsFor);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, site);
    }
}
