package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;

/**
 * A position in the fleet's order: after a machine of a cluster. It contains no index, so it stays valid when the fleet
 * changes, and in any process.
 *
 * @param machine the name of the last machine before the position; empty for the position before the cluster's
 *     first machine
 */
public record MachineCursor(ClusterKey cluster, String machine) {
    /** No namespace or name is sorted before it. */
    private static final String LEAST = "0";

    private static final MachineCursor START = of(new SiteId(LEAST));

    /** Before all machines. */
    public static MachineCursor start() {
        return START;
    }

    /** Before all machines of a site. */
    public static MachineCursor of(SiteId site) {
        return of(new ClusterKey(site, LEAST, LEAST));
    }

    /** Before all machines of a cluster. */
    public static MachineCursor of(ClusterKey cluster) {
        return new MachineCursor(cluster, "");
    }
}
