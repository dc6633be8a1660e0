package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its site's watcher sees it.
 *
 * @param paused whether Cluster API has paused it: no machine in it starts
 * @param hold whether annotation {@code flotilla.dev/hold} is set: no machine in it starts
 * @param controlPlaneReplicas the desired number of control-plane machines
 * @param versionFields the fields whose change has Cluster API update machines in place; empty if it does not
 */
public record ClusterRow(
        ClusterKey key,
        String uid,
        Labels labels,
        boolean paused,
        boolean hold,
        @Nullable String timeZone,
        int controlPlaneReplicas,
        int workerReplicas,
        List<VersionField> versionFields)
        implements TableRow {
    /** How many version fields a row has at most. */
    public static final int MAX_VERSION_FIELDS = 256;

    public ClusterRow {
        versionFields = List.copyOf(versionFields);
    }

    /** A cluster whose machines Cluster API does not update in place. */
    public ClusterRow(
            ClusterKey key,
            String uid,
            Labels labels,
            boolean paused,
            boolean hold,
            @Nullable String timeZone,
            int controlPlaneReplicas,
            int workerReplicas) {
        this(key, uid, labels, paused, hold, timeZone, controlPlaneReplicas, workerReplicas, List.of());
    }

    /** Returns the same row with other version fields. */
    public ClusterRow withVersionFields(List<VersionField> now) {
        return new ClusterRow(key, uid, labels, paused, hold, timeZone, controlPlaneReplicas, workerReplicas, now);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INVENTORY, key);
    }
}
