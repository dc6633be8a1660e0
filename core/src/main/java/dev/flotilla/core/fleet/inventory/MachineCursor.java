package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;

/**
 * A place in the fleet's order: behind a machine of a cluster. It names no index, so it holds over any change of the
 * fleet and in any process.
 *
 * @param machine the name of the last machine before the place; empty for the place before the cluster's first
 */
public record MachineCursor(ClusterKey cluster, String machine) {
    /** No namespace and no name sorts before it. */
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
