package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.id.CampaignName;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * In how many clusters an earlier campaign still has to do with machines that a later one wants somewhere else. The later one
 * waits until that is over, until its deadline has passed, or until a person has said that it may go on all the same.
 */
public final class CampaignOverlapCounter {
    private final SortedMap<CampaignName, Integer> clusters = new TreeMap<>();

    /** The first of the earlier campaigns, by name; null for none. */
    public @Nullable CampaignName first() {
        return clusters.isEmpty() ? null : clusters.firstKey();
    }

    /** In one cluster it is another campaign than before; null for none. */
    public void replace(@Nullable CampaignName before, @Nullable CampaignName now) {
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
}
