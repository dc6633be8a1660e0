package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a site's watcher has said of it.
 *
 * @param heartbeat its last; null where it was never heard
 * @param clusters in their order
 */
record ReportedSiteInventory(@Nullable WatcherHeartbeat heartbeat, List<ClusterKey> clusters) {
    /** Of a site that nobody has told of, or whose tables are not there. */
    static final ReportedSiteInventory NONE = new ReportedSiteInventory(null, List.of());

    ReportedSiteInventory {
        clusters = List.copyOf(clusters);
    }
}
