package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.ClusterKey;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The clusters that campaigns have opened, and those of them that must be reviewed, because something about them has changed. */
public final class OpenedClusterTable {
    private final SortedMap<ClusterKey, ClusterState> opened = new TreeMap<>();
    private final SortedMap<ClusterKey, ClusterState> changed = new TreeMap<>();

    void put(ClusterState cluster) {
        opened.put(cluster.key(), cluster);
    }

    void remove(ClusterKey cluster) {
        opened.remove(cluster);
        changed.remove(cluster);
    }

    void noteChange(ClusterState cluster) {
        if (cluster.upgrade() != null) {
            changed.put(cluster.key(), cluster);
        }
    }

    /** Notes a change that may be about any of them. */
    public void noteChangeOfAll() {
        changed.putAll(opened);
    }

    /** All of them, by key. */
    public Collection<ClusterState> all() {
        return opened.values();
    }

    /** Those with a change since their last review, by key. */
    public List<ClusterState> changed() {
        return changed.isEmpty() ? List.of() : List.copyOf(changed.values());
    }

    /** Notes that nothing is to be decided about a cluster until it changes again. */
    public void noteReview(ClusterState cluster) {
        changed.remove(cluster.key());
    }
}
