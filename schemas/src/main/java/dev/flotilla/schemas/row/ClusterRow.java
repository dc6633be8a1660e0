package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its site's watcher sees it.
 *
 * @param paused Cluster API's own pause: nothing is started in it
 * @param hold our own annotation that says "not now"
 * @param controlPlaneReplicas how many control-plane machines it is meant to have
 */
public record ClusterRow(
        ClusterKey key,
        String uid,
        Labels labels,
        boolean paused,
        boolean hold,
        @Nullable String timeZone,
        int controlPlaneReplicas,
        int workerReplicas)
        implements TableRow {
    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INVENTORY, key);
    }
}
