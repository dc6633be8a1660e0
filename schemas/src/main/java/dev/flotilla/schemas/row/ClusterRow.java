package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its site's watcher sees it.
 *
 * @param paused whether Cluster API has paused it: no machine in it starts
 * @param hold whether annotation {@code flotilla.dev/hold} is set: no machine in it starts
 * @param controlPlaneReplicas the desired number of control-plane machines
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
