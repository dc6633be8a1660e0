package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a site's watcher has reported.
 *
 * @param heartbeat last heartbeat; null for none
 * @param clusters, in order
 */
record ReportedSiteInventory(@Nullable WatcherHeartbeat heartbeat, List<ClusterKey> clusters) {
    /** Inventory of a site without heartbeat or tables. */
    static final ReportedSiteInventory NONE = new ReportedSiteInventory(null, List.of());

    ReportedSiteInventory {
        clusters = List.copyOf(clusters);
    }
}
