package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import org.jspecify.annotations.Nullable;

/**
 * The leader's instructions for a site's watcher.
 *
 * @param acceptedRemoval the id of the order that accepted a mass removal: the watcher may now write the tombstones
 * @param writtenOffBeforeAttempt open attempts with a lower id are written off; zero for none. Only earlier versions write it; now
 *     it is in the site's head row
 * @param writeOffOrder the id of the order that wrote them off; only earlier versions write it
 * @param rules what the policies allow in this site
 * @param blockedReason why all annotations of this site wait: the label of the closed gate, and its message; null for nothing
 */
public record SiteStatus(
        SiteId site,
        @Nullable String acceptedRemoval,
        long writtenOffBeforeAttempt,
        @Nullable String writeOffOrder,
        SiteAnnotationRules rules,
        @Nullable String blockedReason)
        implements TableRow {
    public static final int MAX_BLOCKED_REASON = 1024;

    public SiteStatus {
        blockedReason = blockedReason == null || blockedReason.length() <= MAX_BLOCKED_REASON
                ? blockedReason
                : blockedReason.substring(0, MAX_BLOCKED_REASON);
    }

    /** The status of a site without instructions. */
    public static SiteStatus of(SiteId site) {
        return new SiteStatus(site, null, 0, null, SiteAnnotationRules.NONE, null);
    }

    public SiteStatus withAcceptedRemoval(String order) {
        return new SiteStatus(site, order, writtenOffBeforeAttempt, writeOffOrder, rules, blockedReason);
    }

    public SiteStatus withRules(SiteAnnotationRules now) {
        return with(now, blockedReason);
    }

    /** Returns a copy with what the policies allow and the reason why annotations wait. */
    public SiteStatus with(SiteAnnotationRules now, @Nullable String waitsFor) {
        return new SiteStatus(site, acceptedRemoval, writtenOffBeforeAttempt, writeOffOrder, now, waitsFor);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, site);
    }
}
