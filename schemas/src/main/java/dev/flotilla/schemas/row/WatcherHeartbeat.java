package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A watcher's word that its site is being watched.
 *
 * @param managementUid the uid of the management cluster's kube-system namespace: which cluster the site really is
 * @param withheldRemovals machines that vanished at once and whose tombstones the watcher holds back until the removal is
 *     accepted; zero when nothing is held back
 * @param mode who acts on the provider's keys in the site; null where the watcher does not say
 * @param modeConflict what speaks against that mode; null for nothing
 * @param appliedRemovalOrder the id of the last order to accept a mass removal that was followed; null for none
 */
public record WatcherHeartbeat(
        SiteId site,
        String managementUid,
        String watcher,
        Instant sentAt,
        int withheldRemovals,
        @Nullable SiteMode mode,
        @Nullable String modeConflict,
        @Nullable String appliedRemovalOrder)
        implements TableRow {

    /** Of a watcher that does not say in which mode its site is. */
    public WatcherHeartbeat(SiteId site, String managementUid, String watcher, Instant time, int missing) {
        this(site, managementUid, watcher, time, missing, null, null, null);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INVENTORY, site);
    }
}
