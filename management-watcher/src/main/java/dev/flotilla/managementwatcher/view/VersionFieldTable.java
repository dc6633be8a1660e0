package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.VersionField;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The version fields of the clusters whose machines Cluster API updates in place. */
public final class VersionFieldTable {
    private Map<ClusterKey, List<VersionField>> fields = Map.of();
    private boolean wereRead;

    /** Whether the fields were read from the API server; before that they are those of the published rows. */
    public boolean wereRead() {
        return wereRead;
    }

    /** Replaces the fields of all clusters; returns the clusters with other ones than before, or all when they were read first. */
    Set<ClusterKey> replaceAll(Map<ClusterKey, List<VersionField>> now, boolean read, Set<ClusterKey> all) {
        Map<ClusterKey, List<VersionField>> before = fields;
        if (read && !wereRead) {
            wereRead = true;
            fields = now;
            return all;
        }
        if (before.equals(now)) {
            return Set.of();
        }
        fields = now;
        Set<ClusterKey> differing = new LinkedHashSet<>(before.keySet());
        differing.addAll(now.keySet());
        differing.removeIf(cluster -> Objects.equals(before.get(cluster), now.get(cluster)));
        return differing;
    }

    /** Returns the fields of a cluster; empty if Cluster API does not update its machines in place. */
    public List<VersionField> of(ClusterKey cluster) {
        return fields.getOrDefault(cluster, List.of());
    }
}
