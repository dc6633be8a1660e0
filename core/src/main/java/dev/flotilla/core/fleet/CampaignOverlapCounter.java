package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * In how many clusters an earlier campaign still has to do with machines that a later one wants somewhere else. The later one
 * waits until that is over, until its deadline has passed, or until a person has said that it may go on all the same.
 */
final class CampaignOverlapCounter {
    private final SortedMap<CampaignName, Integer> clusters = new TreeMap<>();

    /** The first of the earlier campaigns, by name; null for none. */
    @Nullable
    CampaignName first() {
        return clusters.isEmpty() ? null : clusters.firstKey();
    }

    /** In one cluster it is another campaign than before; null for none. */
    void replace(@Nullable CampaignName before, @Nullable CampaignName now) {
        if (before != null) {
            clusters.computeIfPresent(before, (name, count) -> count == 1 ? null : count - 1);
        }
        if (now != null) {
            clusters.merge(now, 1, Integer::sum);
        }
    }

    /** Begins the counting again. */
    void clear() {
        clusters.clear();
    }

    /**
     * The earlier campaign that has still to do with a machine of a cluster which a later one wants elsewhere; null for none. One
     * beside which a person lets the later one go on does not count.
     */
    static @Nullable CampaignName of(ClusterState cluster, CampaignRollout later, MachineView look) {
        for (int i = 0; i < cluster.shares.size(); i++) {
            ClusterBacklog clusterBacklog = cluster.shares.get(i);
            if (clusterBacklog.remaining > 0
                    && clusterBacklog.rollout instanceof CampaignRollout earlier
                    && earlier.status().uid() < later.status().uid()
                    && !later.status().mayRunBeside(earlier.status())
                    && !earlier.isOver()
                    && !earlier.isPastDeadline()
                    && !earlier.spec().target().equals(later.spec().target())
                    && shares(cluster, earlier, later, look)) {
                return earlier.name();
            }
        }
        return null;
    }

    private static boolean shares(
            ClusterState cluster, CampaignRollout earlier, CampaignRollout later, MachineView look) {
        for (int i = 0; i < cluster.size; i++) {
            look.row = cluster.members[i];
            MachineProgressState there = earlier.progressStateOf(cluster, look);
            if (there != MachineProgressState.NONE && !there.hasEnded()) {
                MachineProgressState here = later.progressStateOf(cluster, look);
                if (here != MachineProgressState.NONE && !here.hasEnded()) {
                    return true;
                }
            }
        }
        return false;
    }
}
