package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * In how many clusters an earlier campaign still has to do with machines that a later one wants somewhere else. The later one
 * waits until that is over, until its deadline has passed, or until a person has said that it may go on all the same.
 */
final class Contention {
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
    static @Nullable CampaignName of(Cluster cluster, CampaignRollout later, Machine look) {
        for (int i = 0; i < cluster.shares.size(); i++) {
            Share share = cluster.shares.get(i);
            if (share.remaining > 0
                    && share.rollout instanceof CampaignRollout earlier
                    && earlier.status().uid() < later.status().uid()
                    && !later.status().mayRunBeside(earlier.status())
                    && !earlier.over()
                    && !earlier.lapsed()
                    && !earlier.spec().target().equals(later.spec().target())
                    && shares(cluster, earlier, later, look)) {
                return earlier.name();
            }
        }
        return null;
    }

    private static boolean shares(Cluster cluster, CampaignRollout earlier, CampaignRollout later, Machine look) {
        for (int i = 0; i < cluster.size; i++) {
            look.row = cluster.members[i];
            Standing there = earlier.standing(cluster, look);
            if (there != Standing.NONE && !there.ended()) {
                Standing here = later.standing(cluster, look);
                if (here != Standing.NONE && !here.ended()) {
                    return true;
                }
            }
        }
        return false;
    }
}
