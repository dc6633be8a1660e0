package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.Labels;
import org.jspecify.annotations.Nullable;

/** A Cluster as the watcher keeps it. */
public record ClusterView(
        ClusterKey key,
        String uid,
        long version,
        Labels labels,
        boolean deleting,
        boolean paused,
        boolean hold,
        @Nullable String timeZone,
        ObjectAnnotations annotations)
        implements ObjectView {
    @Override
    public ClusterView withVersion(long other) {
        return new ClusterView(key, uid, other, labels, deleting, paused, hold, timeZone, annotations);
    }
}
