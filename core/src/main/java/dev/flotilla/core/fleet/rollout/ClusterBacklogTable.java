package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What each rollout has to do in each cluster: for a cluster in the order in which rollouts may take machines. */
public final class ClusterBacklogTable {
    private final List<List<ClusterBacklog>> byCluster = new ArrayList<>();

    /** The backlogs of a cluster; changes to the list are kept. */
    public List<ClusterBacklog> of(ClusterState cluster) {
        while (byCluster.size() <= cluster.number()) {
            byCluster.add(new ArrayList<>(1));
        }
        return byCluster.get(cluster.number());
    }

    /** Takes a rollout's backlog out of a cluster, if it is there at or after a place; null if it is not. */
    public @Nullable ClusterBacklog remove(ClusterState cluster, Rollout rollout, int from) {
        List<ClusterBacklog> backlogs = of(cluster);
        for (int i = from; i < backlogs.size(); i++) {
            if (backlogs.get(i).rollout() == rollout) {
                return backlogs.remove(i);
            }
        }
        return null;
    }

    /** The backlog of one rollout in a cluster; null where it has nothing to do there. */
    public @Nullable ClusterBacklog find(ClusterState cluster, Rollout rollout) {
        List<ClusterBacklog> backlogs = of(cluster);
        for (int i = 0; i < backlogs.size(); i++) {
            if (backlogs.get(i).rollout() == rollout) {
                return backlogs.get(i);
            }
        }
        return null;
    }
}
