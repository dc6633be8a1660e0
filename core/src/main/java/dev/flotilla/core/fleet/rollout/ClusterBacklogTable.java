package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The backlogs of all rollouts by cluster, in the order in which rollouts may take machines. */
public final class ClusterBacklogTable {
    private final List<List<ClusterBacklog>> byCluster = new ArrayList<>();

    /** The backlogs of a cluster; changes to the list are kept. */
    public List<ClusterBacklog> of(ClusterState cluster) {
        while (byCluster.size() <= cluster.number()) {
            byCluster.add(new ArrayList<>(1));
        }
        return byCluster.get(cluster.number());
    }

    /** Removes a rollout's backlog from a cluster, if it is at or after a position; null if it is not. */
    public @Nullable ClusterBacklog remove(ClusterState cluster, Rollout rollout, int from) {
        List<ClusterBacklog> backlogs = of(cluster);
        int position = indexOf(backlogs, rollout, from);
        return position < 0 ? null : backlogs.remove(position);
    }

    /** The backlog of a rollout in a cluster; null for none. */
    public @Nullable ClusterBacklog find(ClusterState cluster, Rollout rollout) {
        List<ClusterBacklog> backlogs = of(cluster);
        int position = indexOf(backlogs, rollout, 0);
        return position < 0 ? null : backlogs.get(position);
    }

    private static int indexOf(List<ClusterBacklog> backlogs, Rollout rollout, int from) {
        for (int i = from; i < backlogs.size(); i++) {
            if (backlogs.get(i).rollout() == rollout) {
                return i;
            }
        }
        return -1;
    }
}
