package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A watcher's statement that it watches its whole site.
 *
 * @param managementUid the uid of the management cluster's kube-system namespace; it identifies the cluster
 * @param withheldRemovals machines that vanished at once and whose tombstones the watcher withholds until the removal is
 *     accepted; zero if nothing is withheld
 * @param mode who acts on the provider's annotations in the site; null if the watcher does not send it
 * @param modeConflict evidence that the mode is wrong; null for none
 * @param appliedRemovalOrder the id of the last order to accept a mass removal that the watcher applied; null for none
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

    /** A heartbeat without the mode of the site. */
    public WatcherHeartbeat(SiteId site, String managementUid, String watcher, Instant time, int missing) {
        this(site, managementUid, watcher, time, missing, null, null, null);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INVENTORY, site);
    }
}
